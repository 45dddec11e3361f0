import type { StartedPage } from './responses.ts'

/** A page as it is kept: without its end, which depends on the request. */
export type KeptPage = StartedPage & {
  /** What the page was drawn from: see data/pages/page-versions.ts. */
  readonly version: string
  /** Drawn at any time from `from` until `until`, by the database's clock, the page would say the same. */
  readonly from: Date
  readonly until: Date
}

/** What a page takes beyond its compressed bytes: objects, its key and its version. */
const bytesBeyond = 1024

/** Pages by their keys, of at most this many bytes in all. The least recently used ones go first. */
export class KeptPages {
  private readonly pages = new Map<string, KeptPage>()
  private bytes = 0

  constructor(private readonly mostBytes = 16 * 1024 * 1024) {}

  /** The page with this key, even if it no longer holds. */
  find(key: string): KeptPage | undefined {
    const page = this.pages.get(key)
    if (page === undefined) return undefined
    // A map keeps the order of insertion, so the page that was used last comes last.
    this.pages.delete(key)
    this.pages.set(key, page)
    return page
  }

  /** Keeps a page instead of the one with its key. */
  keep(key: string, page: KeptPage): void {
    this.forget(key)
    this.pages.set(key, page)
    this.bytes += bytesOf(page)
    for (const oldest of this.pages.keys()) {
      if (this.bytes <= this.mostBytes) break
      this.forget(oldest)
    }
  }

  forget(key: string): void {
    const page = this.pages.get(key)
    if (page === undefined) return
    this.pages.delete(key)
    this.bytes -= bytesOf(page)
  }
}

function bytesOf({ start }: KeptPage): number {
  return start.bytes.length + bytesBeyond
}

/** Whether a page still says what one drawn now would say. */
export function holds(page: KeptPage, { version, now }: { version: string; now: Date }): boolean {
  return page.version === version && page.from <= now && now < page.until
}
