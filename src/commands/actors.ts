import { forgetActor } from '../data/actors.ts'
import { facets } from '../domain/feed/facets.ts'
import { type Command, CommandRefused, Misused, printable, program } from './command.ts'

type Named = { readonly name: string; readonly key: string }

export const forgetActorCommand: Command<Named> = {
  name: 'forget-actor',
  summary: 'take a name out of all deployments, as that of who deployed',
  usage: `${program} forget-actor <name> [--yes]

In capitals or not. The deployments stay; their messages, and what was sent already, are not changed. A pipeline that
sends the name goes on doing so: SHIPFEED_ACTOR=- keeps it from that. For example: ${program} forget-actor "Grace Hopper"`,
  read(words) {
    const name = words.join(' ').trim()
    if (name === '') throw new Misused('give the name of an actor')
    const key = facets.actor.read(name)
    if (key === null) throw new CommandRefused(facets.actor.advice.address)
    return { name, key }
  },
  question: async (_, { name }) =>
    `Permanently take the actor "${printable(name)}" out of all deployments? The deployments stay.`,
  async withDatabase({ db, tables, output }, { name, key }) {
    const { deployments, paused } = await forgetActor(db, tables, key)
    await output(`Took the actor "${printable(name)}" out of ${deployments} deployments.\n`)
    if (paused > 0) await output(`Paused ${paused} webhooks that sent only what this actor deployed.\n`)
  },
}
