import { readFields } from './body.ts'

/** The named text fields of a browser's form; what is missing or is no text is empty. */
export async function readForm<Name extends string>(
  request: Request,
  names: readonly Name[],
): Promise<Record<Name, string>> {
  const fields = await readFields(request)
  const entries = names.map((name) => [name, typeof fields[name] === 'string' ? fields[name] : ''])
  return Object.fromEntries(entries) as Record<Name, string>
}
