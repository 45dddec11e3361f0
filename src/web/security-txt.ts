import { Elysia } from 'elysia'
import { startOfDay, timestampOf, utcDayOf } from '../domain/time.ts'
import { textHeaders } from '../http/headers.ts'
import { Problem } from '../http/problem.ts'
import { contactAddress, type Site } from '../views/page/site.ts'

/** The standard allows a year. This is much shorter, because the contact may change at the next start. */
const validDays = 90

/** GET /.well-known/security.txt: where to report a vulnerability of this server (RFC 9116). */
export function securityTxt({ baseUrl, operatorContact }: Site) {
  const contact = contactAddress(operatorContact)
  return new Elysia({ name: 'security-txt' }).get('/.well-known/security.txt', () => {
    // The standard allows no other addresses.
    if (contact === null || !/^(https|mailto):/.test(contact)) throw new Problem('not_found', noContact)
    const expires = startOfDay(utcDayOf(new Date()) + validDays)
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${timestampOf(expires)}`,
      `Canonical: ${baseUrl}/.well-known/security.txt`,
      'Preferred-Languages: en',
    ]
    return new Response(`${lines.join('\n')}\n`, { headers: textHeaders })
  })
}

const noContact =
  'This server names no address for security reports: OPERATOR_CONTACT is neither a mail address nor an https link.'
