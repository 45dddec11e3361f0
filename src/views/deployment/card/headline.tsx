import { Html } from '@elysiajs/html'
import { drawable, fits, linesOf, type Setting, shortened } from '../../../card/text.ts'
import type { Headline as Parts } from '../../../domain/entry/headline.ts'
import { colours } from './colours.ts'

const prefixSetting: Setting = { weight: 400, size: 30 }
const large: Setting = { weight: 700, size: 72, spacing: -1.6 }
const small: Setting = { weight: 700, size: 48, spacing: -0.9 }
/** Beyond this many characters the subject is small. */
const mostLarge = 54
const mostLines = 3
const lineHeight = 1.14
const top = 124

type Props = {
  headline: Parts
  /** What is said where the subject cannot be drawn. */
  otherwise: string
  x: number
  width: number
}

/** The prefix above the subject in at most three lines, and the last one's baseline. */
export function Headline({ headline, otherwise, x, width }: Props): {
  safeDrawing: JSX.Element
  end: number
} {
  const drawn = drawable(headline.subject, large.weight) || null
  const subject = drawn ?? otherwise
  const prefix = drawn === null ? '' : (drawable(headline.prefix, prefixSetting.weight) ?? '')
  const setting = settingOf(subject, { width, hasPrefix: prefix !== '' })
  const lines = linesOf(subject, width, mostLines, setting)
  const first = top + (prefix === '' ? 0 : prefixSetting.size + 4) + setting.size
  const step = setting.size * lineHeight
  const safeDrawing = (
    <>
      {prefix !== '' && (
        <text x={x} y={top + prefixSetting.size} font-size={prefixSetting.size} fill={colours.soft} safe>
          {shortened(prefix, width, prefixSetting)}
        </text>
      )}
      {lines.map((line, n) => (
        <text
          // Large letters have more room at their side.
          x={x - setting.size / 36}
          y={first + n * step}
          font-size={setting.size}
          font-weight={setting.weight}
          letter-spacing={setting.spacing}
          fill={colours.ink}
          safe
        >
          {line}
        </text>
      ))}
    </>
  )
  return { safeDrawing, end: first + (lines.length - 1) * step }
}

/** Large if it is short, and leaves room for the poster above the year. */
function settingOf(subject: string, { width, hasPrefix }: { width: number; hasPrefix: boolean }): Setting {
  const lines = hasPrefix ? mostLines - 1 : mostLines
  return [...subject].length <= mostLarge && fits(subject, width, lines, large) ? large : small
}
