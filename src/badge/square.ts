import type { BadgeStatus } from './status.ts'
import { type Drawing, height } from './svg.ts'
import { type Grounds, twoParts } from './two-parts.ts'

/** The square style: two parts with sharp corners. */
export function square(status: BadgeStatus): Drawing {
  return twoParts(status, sharpGrounds)
}

function sharpGrounds({ seam, width, labelFill, statusFill }: Grounds): string[] {
  return [
    `<rect width="${seam}" height="${height}" shape-rendering="crispEdges" fill="${labelFill}"/>`,
    `<rect x="${seam}" width="${width - seam}" height="${height}" shape-rendering="crispEdges" fill="${statusFill}"/>`,
  ]
}
