import { Html } from '@elysiajs/html'
import { minPasswordBytes } from '../../domain/account/password.ts'
import type { Reasons } from '../../domain/field-parsing.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { escaped } from '../parts/escaping-and-templates.ts'
import { Form, firstInvalid, TextField } from '../parts/panels-and-forms.tsx'

type Props = {
  site: Site
  username: string
  /** Whether the link creates the account, which then needs a display name. */
  isNew: boolean
  link: string
  name: string
  /** Whether the box that revokes the tokens, the publishers and the intakes is checked. */
  endsTokens: boolean
  reasons: Reasons
}

export function PasswordLinkPage(props: Props): JSX.Element {
  const { site, username, isNew, link, name, endsTokens, reasons } = props
  const focused = firstInvalid(['name', 'password'], reasons) ?? (isNew ? 'name' : 'password')
  const title = isNew ? 'Create account' : 'Choose a new password'
  return (
    <Layout site={site} viewer={null} title={title}>
      <section class="panel stack entrance">
        <h1>{title}</h1>
        <p class="hint" safe>
          {isNew
            ? `Your username will be ${username}.`
            : `For ${username}. This signs you out everywhere else. Your API tokens, publishers and intakes keep working, unless you tick the box below.`}
        </p>
        <Form action="/password" within="main">
          <input type="hidden" name="link" value={escaped(link)} />
          <input type="text" value={escaped(username)} autocomplete="username" readonly hidden />
          {isNew && (
            <TextField
              name="name"
              label="Display name"
              value={name}
              autocomplete="name"
              {...{ focused, reasons }}
            />
          )}
          <TextField
            name="password"
            label="New password"
            type="password"
            hint={`At least ${minPasswordBytes} characters.`}
            autocomplete="new-password"
            {...{ focused, reasons }}
          />
          {!isNew && (
            <div class="choice">
              <input
                type="checkbox"
                id="end-tokens"
                name="end_tokens"
                value="yes"
                checked={endsTokens}
                autocomplete="off"
                aria-describedby="end-tokens-hint"
              />
              <label for="end-tokens">Also revoke the API tokens, publishers and intakes</label>
              <p class="choice-hint hint" id="end-tokens-hint">
                If someone else may have had access to your account. Your pipelines then need a new token.
              </p>
            </div>
          )}
          <button class="primary" type="submit">
            Save and sign in
          </button>
        </Form>
      </section>
    </Layout>
  )
}
