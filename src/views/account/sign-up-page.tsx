import { Html } from '@elysiajs/html'
import { minPasswordBytes } from '../../domain/account/password.ts'
import { textBounds } from '../../domain/text-bounds.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { Form } from '../parts/form.tsx'
import { type FormState, ProblemNote, TextField } from '../parts/form-fields.tsx'

export function SignUpPage({ site, form }: { site: Site; form: FormState }): JSX.Element {
  const shown = { ...form, focused: 'username' }
  return (
    <Layout site={site} viewer={null} title="Create account">
      <section class="panel stack entrance">
        <h1>Create account</h1>
        <ProblemNote problem={form.problem} />
        <Form action="/sign-up" within="main" button="Create account" look="primary">
          <TextField
            form={shown}
            name="username"
            label="Username"
            hint={`Up to ${textBounds.username} letters, digits and single hyphens. It is part of the address of your profile.`}
            autocomplete="username"
            maxlength={textBounds.username}
          />
          <TextField
            form={shown}
            name="name"
            label="Display name"
            hint="Your name in the feed"
            autocomplete="name"
          />
          <TextField
            form={shown}
            name="password"
            label="Password"
            hint={`${minPasswordBytes} characters or more; a few words are easiest to remember`}
            autocomplete="new-password"
          />
        </Form>
        <p class="hint">
          Already have an account? <a href="/sign-in">Sign in</a>
        </p>
      </section>
    </Layout>
  )
}
