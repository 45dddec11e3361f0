import { capabilities } from '../../src/capabilities.ts'
import { type Capability, type Configuration, configure } from '../../src/capability.ts'
import { commandsOf } from '../../src/commands/all-commands.ts'
import type { CommandSettings } from '../../src/commands/command.ts'
import { readConfig } from '../../src/config.ts'
import { serveCommand } from '../../src/serve.ts'
import type { Environment } from '../../src/settings-reader.ts'
import { tables } from '../../src/table-uses.ts'

/** What a start or a command reads from these variables. */
export function configurationOf(
  env: Environment,
  listed: readonly Capability[] = capabilities,
): Configuration & CommandSettings {
  return { ...configure(listed, env, readConfig(env)), tables }
}

/** Every command, as a start with these variables has them. */
export function everyCommand(env: Environment = {}) {
  return [serveCommand(capabilities, () => configurationOf(env)), ...commandsOf(capabilities)]
}

/** Every variable that the program describes. */
export const describedVariables = capabilities.flatMap(({ variables = {} }) => Object.keys(variables))

export const describedMetrics = capabilities.flatMap(({ metrics = {} }) => Object.entries(metrics))

/** The variables that a start reads. */
export function variablesRead(): ReadonlySet<string> {
  const asked = new Set<string>()
  configurationOf(new Proxy({}, { get: (_, name) => void asked.add(String(name)) }))
  return asked
}
