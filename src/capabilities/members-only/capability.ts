import type { Capability } from '../../capability.ts'
import { ConfigError, settingsIn } from '../../settings-reader.ts'
import { membersOnly } from './gate.ts'
import { readKeyForm, readKeyPanel } from './settings.tsx'
import { readersOf } from './store.ts'

const variables = {
  VISIBILITY: {
    words: ['public', 'members'],
    says: '`members`: only those who sign in may read, and programs with a [key or token](decisions.md#members-only)',
  },
  BADGES: {
    words: ['members', 'public'],
    says: '`public`: badges and pictures of a year stay open with `VISIBILITY=members`; refused without it',
  },
} as const

/** Closes the service to all but its members (docs/decisions.md#members-only). */
export const membersOnlyCapability: Capability = {
  name: 'members-only',
  variables,
  configure(env, { baseUrl }) {
    const settings = settingsIn(env, variables)
    const isOn = settings.oneOf('VISIBILITY') === 'members'
    const publicBadges = settings.oneOf('BADGES') === 'public'
    if (!isOn && env.BADGES)
      throw new ConfigError('BADGES needs VISIBILITY=members: set that too, or unset BADGES')
    if (!isOn) return null
    return {
      site: { membersOnly: true, publicBadges },
      start: ({ db }) => ({
        gate: (door) => membersOnly({ ...door, publicBadges, readers: readersOf(db) }),
        settings: readKeyPanel(db, baseUrl),
        routes: readKeyForm,
      }),
    }
  },
}
