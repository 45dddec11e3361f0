import type { BadgeStatus } from './status.ts'
import { type Drawing, height } from './svg.ts'
import { type Grounds, twoParts } from './two-parts.ts'

const radius = 3

/** The standard style: two parts with rounded corners. */
export function standard(status: BadgeStatus): Drawing {
  return twoParts(status, roundedGrounds)
}

/**
 * A clipPath would need an id, and ids collide where badges share a page; so the status rounds its own two
 * corners, and the label's right ones lie beneath it.
 */
function roundedGrounds({ seam, width, labelFill, statusFill }: Grounds): string[] {
  const rightCorners = `a${radius} ${radius} 0 0 1 ${radius} ${radius}V${height - radius}a${radius} ${radius} 0 0 1 -${radius} ${radius}`
  return [
    `<rect width="${seam + radius}" height="${height}" rx="${radius}" fill="${labelFill}"/>`,
    `<path d="M${seam} 0H${width - radius}${rightCorners}H${seam}z" fill="${statusFill}"/>`,
  ]
}
