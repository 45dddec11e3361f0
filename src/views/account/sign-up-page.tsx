import { Html } from '@elysiajs/html'
import { minPasswordBytes } from '../../domain/account/password.ts'
import { maxUsernameCharacters } from '../../domain/account/user.ts'
import type { Reasons } from '../../domain/field-parsing.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { Form, firstInvalid, TextField } from '../parts/panels-and-forms.tsx'

type Props = {
  site: Site
  values: { readonly username: string; readonly name: string }
  reasons: Reasons
  /** A problem that belongs to no field. */
  problem: string | null
}

const fields = ['username', 'name', 'password']

export function SignUpPage({ site, values, reasons, problem }: Props): JSX.Element {
  const focused = firstInvalid(fields, reasons) ?? 'username'
  return (
    <Layout site={site} viewer={null} title="Create account">
      <section class="panel stack entrance">
        <h1>Create account</h1>
        {problem !== null && (
          <p class="problem-note" role="alert" safe>
            {problem}
          </p>
        )}
        <Form action="/sign-up" within="main">
          <TextField
            name="username"
            label="Username"
            value={values.username}
            hint={`Up to ${maxUsernameCharacters} letters, digits and single hyphens. It is part of the address of your profile.`}
            autocomplete="username"
            maxlength={maxUsernameCharacters}
            {...{ focused, reasons }}
          />
          <TextField
            name="name"
            label="Display name"
            value={values.name}
            hint="Your name in the feed"
            autocomplete="name"
            {...{ focused, reasons }}
          />
          <TextField
            name="password"
            label="Password"
            type="password"
            hint={`${minPasswordBytes} characters or more; a few words are easiest to remember`}
            autocomplete="new-password"
            {...{ focused, reasons }}
          />
          <button class="primary" type="submit">
            Create account
          </button>
        </Form>
        <p class="hint">
          Already have an account? <a href="/sign-in">Sign in</a>
        </p>
      </section>
    </Layout>
  )
}
