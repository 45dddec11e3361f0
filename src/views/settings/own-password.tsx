import { Html } from '@elysiajs/html'
import type { Reasons } from '../../domain/reasons.ts'
import { Field } from '../parts/field.tsx'

type Props = { id: string; focused: string | undefined; reasons: Reasons }

/** The field of the owner's password, before what cannot be undone. */
export function OwnPassword({ id, focused, reasons }: Props): JSX.Element {
  return (
    <Field
      id={id}
      name="password"
      label="Your password"
      type="password"
      autocomplete="current-password"
      autofocus={focused === 'password'}
      reasons={reasons}
    />
  )
}
