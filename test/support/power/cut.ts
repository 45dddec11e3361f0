import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from './journal.ts'

type Change = Extract<Entry, { kind: 'write' | 'truncate' }>

/** A file, under whatever name: what is on the disk, and what was written since it was synced. */
type File = { readonly buffer: ArrayBuffer; readonly pending: Change[] }

/** Whether something that nobody synced reached the disk by itself: a write, or the next change of a name. */
export type Luck = { readonly write: () => boolean; readonly name: () => boolean }

/**
 * Makes the folder that a power cut leaves: as it was at the beginning, with what was synced, and of the rest
 * what `luck` lets through. Names are kept as journaling file systems do: in order, and by each sync all before it.
 */
export function cutPower(
  beginning: string,
  journal: readonly Entry[],
  { into, luck }: { into: string; luck: Luck },
): void {
  cpSync(beginning, into, { recursive: true })
  const namesUntil = lastKeptName(journal, luck)
  /** The files by their names at that time, and by the names that the disk keeps. */
  const open = new Map<string, File>()
  const kept = new Map<string, File>()
  for (const [n, entry] of journal.entries()) {
    if (entry.kind === 'write' || entry.kind === 'truncate') fileAt(entry.path).pending.push(entry)
    if (entry.kind === 'sync') sync(open.get(entry.path))
    if (entry.kind === 'create') open.set(entry.path, fileOf(new Uint8Array()))
    if (entry.kind === 'rename') fileAt(entry.path)
    if (n <= namesUntil) keepName(entry)
    move(open, entry)
  }
  for (const [path, file] of kept) {
    for (const change of file.pending.filter(luck.write)) apply(file, change)
    writeFileSync(join(into, path), new Uint8Array(file.buffer))
  }

  function fileAt(path: string): File {
    const place = join(beginning, path)
    const file = open.get(path) ?? fileOf(readFileSync(place))
    if (!open.has(path)) kept.set(path, file)
    open.set(path, file)
    return file
  }

  function keepName(entry: Entry): void {
    const place = join(into, entry.path)
    const file = open.get(entry.path)
    if (entry.kind === 'create' && file !== undefined) kept.set(entry.path, file)
    if (entry.kind === 'mkdir') mkdirSync(place)
    if (entry.kind === 'unlink' || entry.kind === 'rmdir') rmSync(place, { recursive: true, force: true })
    if (entry.kind === 'rename' && existsSync(place)) renameSync(place, join(into, entry.to))
    move(kept, entry)
  }
}

function isName({ kind }: Entry): boolean {
  return !['write', 'truncate', 'sync'].includes(kind)
}

function lastKeptName(journal: readonly Entry[], luck: Luck): number {
  const synced = journal.findLastIndex(({ kind }) => kind === 'sync')
  const lost = journal.findIndex((entry, n) => n > synced && isName(entry) && !luck.name())
  return lost < 0 ? journal.length : lost - 1
}

function sync(file: File | undefined): void {
  for (const change of file?.pending.splice(0) ?? []) apply(file as File, change)
}

/** A file may grow to this: one of the log has 16 MB. */
const maxByteLength = 64 * 1024 * 1024

function fileOf(content: Uint8Array): File {
  const buffer = new ArrayBuffer(content.length, { maxByteLength })
  new Uint8Array(buffer).set(content)
  return { buffer, pending: [] }
}

function apply({ buffer }: File, change: Change): void {
  const size = change.kind === 'truncate' ? change.size : change.at + change.bytes.length
  if (change.kind === 'truncate' || size > buffer.byteLength) buffer.resize(size)
  if (change.kind === 'write') new Uint8Array(buffer).set(change.bytes, change.at)
}

function move(files: Map<string, File>, entry: Entry): void {
  const file = files.get(entry.path)
  if (entry.kind === 'unlink') files.delete(entry.path)
  if (entry.kind !== 'rename' || file === undefined) return
  files.delete(entry.path)
  files.set(entry.to, file)
}
