import type { PrimaryView } from './primary-view.ts'
import { nameIn, type StandbyView } from './standby-view.ts'
import { standbysWaitedFor } from './waited-for.ts'

/**
 * Why nothing may be read from a standby. Beside a wrong setting, READS=eventual is a way out; that it is the primary
 * is as it should be, since all servers may stand in both addresses.
 */
export type Unfit = { readonly kind: 'setting' | 'state' | 'primary'; readonly why: string }

/** What keeps a standby from being as fresh as its primary; null if nothing does, but how far it has come. */
export function unfitness(primary: PrimaryView, standby: StandbyView): Unfit | null {
  if (!standby.isStandby) return isPrimary
  return settingOf(primary, standby) ?? stateOf(primary, standby)
}

export const isPrimary: Unfit = { kind: 'primary', why: 'it is a primary' }

function settingOf(primary: PrimaryView, { system, receiver }: StandbyView): Unfit | null {
  const waitedFor = standbysWaitedFor(primary.names)
  if (system !== primary.system) return setting('it is no standby of the database of DATABASE_URL')
  if (primary.commits !== 'remote_apply') {
    return setting(`the primary needs synchronous_commit = remote_apply, and has ${primary.commits}`)
  }
  if (waitedFor === null) {
    return setting(
      `synchronous_standby_names has to be 'FIRST n (…)' with the names of all n standbys, and is '${primary.names}'`,
    )
  }
  if (!primary.maySee) {
    return setting(`"grant pg_monitor to ${primary.user}" is needed, to see who follows the primary`)
  }
  const name = receiver === null ? null : nameIn(receiver.conninfo)
  if (name === null || waitedFor.includes(name)) return null
  return setting(`it follows as "${name}", which synchronous_standby_names does not name`)
}

function stateOf({ timeline, followers }: PrimaryView, { receiver, pause }: StandbyView): Unfit | null {
  if (receiver?.status !== 'streaming') return state('it does not follow the primary')
  if (receiver.timeline !== timeline) return state('it follows another primary')
  if (pause !== 'not paused') return state('its replay is paused')
  const name = nameIn(receiver.conninfo)
  const alike = followers.filter((follower) => follower.name.toLowerCase() === name)
  if (alike.length > 1) return setting(`${alike.length} standbys follow as "${name}": give each a name`)
  const isWaitedFor = alike.some(({ state, sync }) => state === 'streaming' && /^(sync|quorum)$/.test(sync))
  return isWaitedFor ? null : state('the primary does not wait for it yet')
}

function setting(why: string): Unfit {
  return { kind: 'setting', why }
}

export function state(why: string): Unfit {
  return { kind: 'state', why }
}
