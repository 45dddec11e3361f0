import type { Db } from '../../database/db.ts'
import { readingJoined } from '../targets.ts'
import type { BadgeQuestion } from './asked.ts'
import { liveReader } from './environments.ts'
import { type LatestAnswer, latestDeploymentReader } from './latest.ts'
import { releaseReaders } from './releases.ts'

export type BadgeReader = ReturnType<typeof badgeReader>

/**
 * Makes the functions that find what badges show: `latest` its age, `newest` its version, `release` the version of the
 * latest that is no prerelease, and `live` what is live in each environment of a target.
 */
export function badgeReader(db: Db) {
  const readScope = latestDeploymentReader(db)
  const { newest, release } = releaseReaders(db)
  const latest = (question: BadgeQuestion): Promise<LatestAnswer> =>
    question.environment === undefined ? readScope(question) : newest(question)
  const joined = readingJoined(db)
  return {
    latest: joined(latest),
    newest: joined(newest),
    release: joined(release),
    live: joined(liveReader(db)),
  }
}
