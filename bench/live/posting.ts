import { framesFor } from '../../src/web/feed/feed-stream.tsx'
import { allPosters, announcementOf } from '../data-sets/people.ts'
import { now } from './crowd.ts'

const [poster] = allPosters(1)
if (poster === undefined) throw new Error('Nobody can post')
let posts = 0

/** A name for the next post, by which the watchers recognise it. */
export function nextPost(): string {
  posts += 1
  return String(posts)
}

/** Announces a deployment, and returns how long that took. */
export async function announce(url: string, post: string): Promise<{ beganAt: number; tookMs: number }> {
  const headers = { Authorization: `Bearer ${poster?.token}`, 'Content-Type': 'application/json' }
  return await send(`${url}/api`, { headers, body: JSON.stringify(contentOf(post)) })
}

/** Publishes the same bytes as the service would, by WebSocket. */
export async function publish(url: string, post: string): Promise<{ beganAt: number; tookMs: number }> {
  return await send(url, { headers: {}, body: frameOf(url, post) })
}

function frameOf(url: string, post: string): string | Uint8Array {
  const { message, url: link } = contentOf(post)
  const id = 1_000_000 + Number(post)
  const user = { id: 1, username: 'u1', name: 'User 1' }
  const deployment = {
    id,
    message,
    url: link,
    category: 'feature',
    deployedAt: new Date(),
    poster: user,
  } as const
  return framesFor(url).feed({ kind: 'announced', id, scopes: [], deployment })
}

function contentOf(post: string): { message: string; url: string } {
  if (poster === undefined) throw new Error('Nobody can post')
  const { message, url } = announcementOf(poster)
  return { message: `${message} [post ${post}]`, url }
}

async function send(url: string, init: { headers: Record<string, string>; body: string | Uint8Array }) {
  const beganAt = now()
  const response = await fetch(url, { method: 'POST', ...init })
  await response.arrayBuffer()
  if (response.status !== 201) throw new Error(`${url} answers ${response.status}`)
  return { beganAt, tookMs: now() - beganAt }
}
