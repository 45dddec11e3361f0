import { Html } from '@elysiajs/html'
import type { Reasons } from '../../domain/reasons.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { Field, firstInvalid } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'

type Props = {
  site: Site
  values: { readonly username: string; readonly name: string }
  reasons: Reasons
  /** A problem that is no field's fault. */
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
          <Field
            name="username"
            label="Username"
            value={values.username}
            hint="Letters, digits and single hyphens, 39 at most. It is the address of your profile."
            autocomplete="username"
            autofocus={focused === 'username'}
            maxlength={39}
            reasons={reasons}
          />
          <Field
            name="name"
            label="Display name"
            value={values.name}
            hint="What the feed calls you"
            autocomplete="name"
            autofocus={focused === 'name'}
            reasons={reasons}
          />
          <Field
            name="password"
            label="Password"
            type="password"
            hint="10 characters or more; a few words are easiest to remember"
            autocomplete="new-password"
            autofocus={focused === 'password'}
            reasons={reasons}
          />
          <button class="primary" type="submit">
            Create account
          </button>
        </Form>
        <p class="hint">
          Have an account? <a href="/sign-in">Sign in</a>
        </p>
      </section>
    </Layout>
  )
}
