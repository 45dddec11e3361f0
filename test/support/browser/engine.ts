import { eventually } from '../eventually.ts'
import type { Picture } from '../png.ts'

/** A browser other than Chromium, and its tab in front. */
export type Engine = {
  /** Goes to an address, and resolves when the page has loaded. */
  open(url: string): Promise<void>
  /** The value of an expression in the page, once it is settled. */
  read<Value>(expression: string): Promise<Value>
  /** Types a text, or one of `keys`, where the focus is. */
  type(text: string): Promise<void>
  /** Makes the window this wide. */
  resize(width: number): Promise<void>
  goBack(): Promise<void>
  openTab(): Promise<void>
  picture(): Promise<Picture>
  close(): Promise<void>
}

/** Keys without a letter, as WebDriver names them. */
export const keys = { enter: '\uE007', tab: '\uE004' } as const

/** The actions of WebDriver that type a text. */
export function typing(text: string): readonly object[] {
  const actions = [...text].flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ])
  return [{ type: 'key', id: 'keyboard', actions }]
}

/** Waits until an expression has a value, in this page or in the one that comes. */
export async function untilIn(engine: Engine, expression: string, value: unknown): Promise<void> {
  await eventually(`${expression} is ${value}`, async () => {
    // A page that is left while it is read gives no answer.
    const seen = await Promise.race([engine.read(expression).catch(() => undefined), Bun.sleep(1_000)])
    return Bun.deepEquals(seen, value)
  })
}
