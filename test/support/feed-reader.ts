import type { Service } from './service.ts'

/** What a visitor sees of a deployment on the feed. */
export type FeedEntry = { readonly message: string; readonly category: string }

/** Walks the pages of the global feed from one id down to another, and gives every entry by its id. */
export async function readFeed(
  service: Service,
  { newest, oldest }: { newest: number; oldest: number },
): Promise<ReadonlyMap<number, FeedEntry>> {
  const entries = new Map<number, FeedEntry>()
  for (let before = newest + 1; before > oldest; ) {
    const page = await readPage(await service.fetch(`/?before=${before}`))
    if (page.length === 0) break
    for (const { id, ...entry } of page) entries.set(id, entry)
    before = page.at(-1)?.id ?? oldest
  }
  return entries
}

async function readPage(response: Response): Promise<({ id: number } & FeedEntry)[]> {
  if (response.status !== 200) throw new Error(`The feed answers ${response.status}`)
  const entries: { id: number; message: string; category: string }[] = []
  const append = (field: 'message' | 'category') => ({
    text(chunk: { text: string }) {
      const entry = entries.at(-1)
      if (entry !== undefined) entry[field] += chunk.text
    },
  })
  const reader = new HTMLRewriter()
    .on('li[id^="deployment-"]', {
      element(item) {
        entries.push({ id: Number(item.getAttribute('id')?.split('-')[1]), message: '', category: '' })
      },
    })
    .on('li[id^="deployment-"] .message', append('message'))
    .on('li[id^="deployment-"] .category', append('category'))
  await reader.transform(response).text()
  return entries.map(({ id, message, category }) => ({
    id,
    message: unescaped(message),
    category: category.trim(),
  }))
}

const references: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  '#39': "'",
  '#x27': "'",
}

/** What a browser shows of a text, which holds no markup: an element within would be missing here. */
function unescaped(text: string): string {
  return text.replace(/&([a-z]+|#x?[0-9a-f]+);/gi, (whole, name: string) => references[name] ?? whole)
}
