import type { Tell } from '../../tell.ts'
import type { Standby } from './standby.ts'

/** A standby with its name for the operator, who hears when it is no longer read and when it is again. */
export type Watched = Standby & { readonly name: string }

/** Tells what the looks at a standby find, once each; and looks once at a time. */
export function watched(name: string, standby: Standby, tell: Tell): Watched {
  let told: string | null = null
  let looking: ReturnType<Standby['look']> | null = null

  return {
    name,
    read: standby.read,
    get mayBeRead() {
      return standby.mayBeRead
    },
    look(look) {
      looking ??= lookAndTell(look).finally(() => {
        looking = null
      })
      return looking
    },
  }

  async function lookAndTell(look: Parameters<Standby['look']>[0]): ReturnType<Standby['look']> {
    const unfit = await standby.look(look)
    if (unfit === null && told !== null) tell(`The standby ${name} is read from again`, 'standby_back')
    if (unfit !== null && unfit.kind !== 'primary' && told === null) {
      tell(`Nothing is read from the standby ${name}: ${unfit.why}`, 'standby_left')
    }
    told = unfit?.why ?? null
    return unfit
  }
}
