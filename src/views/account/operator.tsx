import { Html } from '@elysiajs/html'
import type { Site } from '../page/site.ts'
import { attribute } from '../parts/attribute.ts'

/** Whoever runs this server, with a way to reach them if one is configured. */
export function Operator({ site: { operatorContact } }: { site: Site }): JSX.Element {
  if (operatorContact === null) return <>whoever runs this server</>
  const href = addressOf(operatorContact)
  if (href === null) return <span safe>{operatorContact}</span>
  return (
    <a href={attribute(href)} safe>
      {operatorContact}
    </a>
  )
}

function addressOf(contact: string): string | null {
  if (/^https?:\/\/\S+$/.test(contact)) return contact
  return /^[^\s@:/]+@[^\s@:/]+$/.test(contact) ? `mailto:${contact}` : null
}
