import { environmentKey } from '../../domain/environment/environment.ts'
import { stages } from '../../domain/environment/stages.ts'
import { oneLineProblems } from '../../domain/field-parsing.ts'
import { textBounds } from '../../domain/text-bounds.ts'

const knownParts: ReadonlySet<string> = new Set([...stages.flat(), 'preview'])
const startsWithPreview = /^preview(?!\p{L})/iu

/** What stands between the parts of a name such as "Production – ui" or "production / web (Production)". */
const betweenParts = /\s[-–—/|:·]\s|[()]/u

/**
 * Reads the name of an environment at a forge. If one part of it is a known stage, that is the environment, and the
 * rest is the component that was deployed: "Production – ui" (Vercel), "luck / production" (Railway).
 */
export function readEnvironmentName(text: string) {
  const name = text.slice(0, textBounds.forgeName)
  const parts = name
    .split(betweenParts)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const known = parts.filter((part) => knownParts.has(environmentKey(part)))
  const [stage] = known
  const rest = parts.filter((part) => !known.includes(part)).join(' ')
  const isSplit = stage !== undefined && new Set(known.map(environmentKey)).size === 1
  return {
    environment: accepted(isSplit ? stage : name),
    component: isSplit && oneLineProblems(rest, 'forgeName').length === 0 ? rest : '',
    /** Hosts such as Vercel do not mark these as transient. */
    isPreview: parts.some((part) => startsWithPreview.test(part)),
  }
}

/** As ci/announce.sh writes it: forges allow spaces and more. */
function accepted(name: string): string | null {
  const bytes = Buffer.from(name).toString('latin1')
  return bytes.replace(/[^A-Za-z0-9._/-]/g, '_').slice(0, textBounds.environment) || null
}
