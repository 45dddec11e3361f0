import { Html } from '@elysiajs/html'
import type { Reasons } from '../../domain/reasons.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { attribute } from '../parts/attribute.ts'
import { Field, firstInvalid } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'

type Props = {
  site: Site
  username: string
  /** Whether the account is made with it, and so needs a display name. */
  isNew: boolean
  link: string
  name: string
  reasons: Reasons
}

export function PasswordLinkPage({ site, username, isNew, link, name, reasons }: Props): JSX.Element {
  const focused = firstInvalid(['name', 'password'], reasons) ?? (isNew ? 'name' : 'password')
  const title = isNew ? 'Create account' : 'Choose a new password'
  return (
    <Layout site={site} viewer={null} title={title}>
      <section class="panel stack entrance">
        <h1>{title}</h1>
        <p class="hint" safe>
          {isNew
            ? `Your username will be ${username}.`
            : `For ${username}. It signs you out everywhere else.`}
        </p>
        <Form action="/password" within="main">
          <input type="hidden" name="link" value={attribute(link)} />
          <input type="text" value={attribute(username)} autocomplete="username" readonly hidden />
          {isNew && (
            <Field
              name="name"
              label="Display name"
              value={name}
              autocomplete="name"
              autofocus={focused === 'name'}
              reasons={reasons}
            />
          )}
          <Field
            name="password"
            label="New password"
            type="password"
            hint="At least 10 characters."
            autocomplete="new-password"
            autofocus={focused === 'password'}
            reasons={reasons}
          />
          <button class="primary" type="submit">
            Save and sign in
          </button>
        </Form>
      </section>
    </Layout>
  )
}
