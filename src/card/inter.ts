import { readFileSync } from 'node:fs'
import regularPath from '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf' with { type: 'file' }
import boldPath from '@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf' with { type: 'file' }
import { type Font, readFont } from './font.ts'

export const family = 'Inter'

/** The weights of Inter that pictures use, by their numbers in CSS. */
export type Weight = 400 | 700

const paths: Readonly<Record<Weight, string>> = { 400: regularPath, 700: boldPath }

/** The files of all weights. */
export function fontFiles(): Uint8Array[] {
  return Object.values(paths).map((path) => readFileSync(path))
}

const fonts = new Map<Weight, Font>()

/** Inter in a weight, read when it is first needed. */
export function inter(weight: Weight): Font {
  const known = fonts.get(weight)
  if (known !== undefined) return known
  const font = readFont(readFileSync(paths[weight]))
  fonts.set(weight, font)
  return font
}
