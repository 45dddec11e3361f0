import { timingSafeEqual } from 'node:crypto'
import { payloadInForm } from '../../http/body.ts'
import type { CalledIntake } from './calls.ts'

/** Whether a call was made by someone who knows the secret. */
export function isSigned({ kind, secret }: CalledIntake, headers: Headers, bytes: Uint8Array): boolean {
  if (kind === 'gitlab') return isSame(headers.get('x-gitlab-token') ?? '', secret)
  if (kind === 'github' || kind === 'flux') {
    const given = headers.get(kind === 'github' ? 'x-hub-signature-256' : 'x-signature') ?? ''
    return isSame(given, `sha256=${signatureOf(bytes, secret)}`)
  }
  const signature = headers.get('x-forgejo-signature') ?? headers.get('x-gitea-signature') ?? ''
  // If the body is a form, Forgejo and Gitea sign the JSON in it.
  const signed = payloadInForm(bytes, headers.get('content-type') ?? '') ?? bytes
  return isSame(signature, signatureOf(signed, secret))
}

function signatureOf(body: string | Uint8Array, secret: string): string {
  return new Bun.CryptoHasher('sha256', secret).update(body).digest('hex')
}

/** Compares in the same time for any two texts. */
function isSame(given: string, expected: string): boolean {
  const digestOf = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest()
  return timingSafeEqual(digestOf(given), digestOf(expected))
}
