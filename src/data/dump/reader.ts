import { DumpRefused } from './refused.ts'

const rowsAtOnce = 500

/** Reads a dump's lines, and keeps count of what it has read. Its methods throw DumpRefused where a line is missing. */
export class Reader {
  readonly rows: Record<string, number> = {}
  readonly #lines: AsyncGenerator<string, void>
  readonly #sum = new Bun.CryptoHasher('sha256')

  constructor(lines: AsyncGenerator<string, void>) {
    this.#lines = lines
  }

  /** A line that is no row; what it holds is checked where it is used. */
  async read<Line extends object>(): Promise<Partial<Line>> {
    const line = await this.#next()
    try {
      return Object(JSON.parse(line)) as Partial<Line>
    } catch {
      throw new DumpRefused('it was altered')
    }
  }

  /** The rows of a table, in chunks. */
  async *rowsOf(table: string): AsyncGenerator<readonly string[], void> {
    this.rows[table] = 0
    let rows: string[] = []
    for (let line = await this.#next(); line !== ''; line = await this.#next()) {
      this.rows[table] = (this.rows[table] ?? 0) + 1
      rows.push(line)
      if (rows.length < rowsAtOnce) continue
      yield rows
      rows = []
    }
    if (rows.length > 0) yield rows
  }

  /** The SHA-256 of what was read. */
  sum(): string {
    return this.#sum.copy().digest('hex')
  }

  async isAtEnd(): Promise<boolean> {
    return (await this.#lines.next()).done === true
  }

  async #next(): Promise<string> {
    const { value } = await this.#lines.next()
    if (value === undefined) throw new DumpRefused('it is cut')
    this.#sum.update(`${value}\n`)
    return value
  }
}
