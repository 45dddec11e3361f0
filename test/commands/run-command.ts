import { argumentsOf, type Command } from '../../src/commands/command.ts'
import type { Db } from '../../src/database/db.ts'
import { configurationOf } from '../support/configuration.ts'

/** Makes the function that runs commands on this database, and returns what they print. */
export function commandsOn(db: Db) {
  return async (command: Command, ...words: string[]): Promise<string> => {
    if (!('withDatabase' in command)) throw new Error('It needs no database')
    let printed = ''
    const output = async (chunk: string | Uint8Array) => {
      printed += chunk
    }
    await command.withDatabase({ db, ...configurationOf({}), output }, argumentsOf(command, words))
    return printed
  }
}
