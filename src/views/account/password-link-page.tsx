import { Html } from '@elysiajs/html'
import { minPasswordBytes } from '../../domain/account/password.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { Form } from '../parts/form.tsx'
import { Choice, type FormState, TextField } from '../parts/form-fields.tsx'
import { escaped } from '../parts/markup.ts'

type Props = {
  site: Site
  username: string
  /** Whether the link creates the account, which then needs a display name. */
  isNew: boolean
  otherAccess: string
  form: FormState
}

export function PasswordLinkPage({ site, username, isNew, otherAccess, form }: Props): JSX.Element {
  const shown = { ...form, focused: isNew ? 'name' : 'password' }
  const title = isNew ? 'Create account' : 'Choose a new password'
  return (
    <Layout site={site} viewer={null} title={title}>
      <section class="panel stack entrance">
        <h1>{title}</h1>
        <p class="hint" safe>
          {isNew
            ? `Your username will be ${username}.`
            : `For ${username}. This signs you out everywhere else. Your ${otherAccess} keep working, unless you tick the box below.`}
        </p>
        <Form action="/password" within="main" button="Save and sign in" look="primary">
          <input type="hidden" name="link" value={escaped(form.typed.link ?? '')} />
          <input type="text" value={escaped(username)} autocomplete="username" readonly hidden />
          {isNew && <TextField form={shown} name="name" label="Display name" autocomplete="name" />}
          <TextField
            form={shown}
            name="password"
            label="New password"
            hint={`At least ${minPasswordBytes} characters.`}
            autocomplete="new-password"
          />
          {!isNew && (
            <Choice
              form={shown}
              id="end-tokens"
              name="end_tokens"
              value="yes"
              label={`Also end the ${otherAccess}`}
              hint="If someone else may have had access to your account. Your pipelines then need a new token, and webhooks are paused until you have looked at them."
            />
          )}
        </Form>
      </section>
    </Layout>
  )
}
