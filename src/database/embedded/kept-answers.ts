import type { Changes } from '../db.ts'

/** At this many answers, all are forgotten before the next one is kept. */
const maxKept = 20_000

/** For a database that only this process writes to. A write without `changes` may change every answer. */
export class KeptAnswers {
  /** By owner, then by key. */
  private readonly answers = new Map<string, Map<string, unknown>>()
  private count = 0
  private writesUnderWay = 0
  /** Increased before and after each write: an answer that was being read at such a moment is not kept. */
  private version = 0

  /** During a write, always calls `read`, because a part of the write may already be visible. */
  async remember<Answer>(owner: string, key: string, read: () => Promise<Answer>): Promise<Answer> {
    const kept = this.writesUnderWay === 0 ? this.answers.get(owner)?.get(key) : undefined
    if (kept !== undefined) return kept as Answer
    const { version } = this
    const answer = await read()
    if (version === this.version) this.keep(owner, key, answer)
    return answer
  }

  /** A write that failed may have changed everything. */
  async write<T>(work: () => Promise<T>, changes?: Changes<T>): Promise<T> {
    if (changes === 'nothing') return await work()
    this.writesUnderWay += 1
    this.version += 1
    let changed: readonly string[] | undefined
    try {
      const result = await work()
      changed = changes?.(result)
      return result
    } finally {
      this.forget(changed)
      this.version += 1
      this.writesUnderWay -= 1
    }
  }

  private keep(owner: string, key: string, answer: unknown): void {
    if (this.count >= maxKept) this.forget()
    const ofOwner = this.answers.get(owner) ?? new Map<string, unknown>()
    if (!ofOwner.has(key)) this.count += 1
    this.answers.set(owner, ofOwner.set(key, answer))
  }

  private forget(owners?: readonly string[]): void {
    for (const owner of owners ?? []) {
      this.count -= this.answers.get(owner)?.size ?? 0
      this.answers.delete(owner)
    }
    if (owners !== undefined) return
    this.answers.clear()
    this.count = 0
  }
}
