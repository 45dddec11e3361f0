import { closeSync, fdatasyncSync, fsyncSync, openSync } from 'node:fs'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type Stream = { readonly nfd?: number; readonly node: unknown }

/**
 * The part that we use of Emscripten's file system, which lies between Postgres and the machine's file
 * system.
 */
type Module = {
  readonly NODEFS: {
    realPath(node: unknown): string
    readonly stream_ops: { fsync?: (stream: Stream) => number }
  }
}

/**
 * PGlite's file system in a folder, except that a sync reaches the disk. The original reports success without
 * syncing, so a power cut could lose acknowledged announcements (@electric-sql/pglite 0.5.16).
 */
export class DurableFs extends NodeFS {
  override async init(...given: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...given)
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), reachDisk] } }
  }
}

/**
 * Removes `-F`, which turns fsync off, and sets a sync method that, unlike the default, goes through our file
 * system. Keeps few old log files for reuse, because checkpoints are frequent (open.ts).
 */
export function durableParams(params: readonly string[]): string[] {
  const settings = ['wal_sync_method=fsync', 'max_wal_size=64MB', 'min_wal_size=32MB']
  return [...params.filter((param) => param !== '-F'), ...settings.flatMap((setting) => ['-c', setting])]
}

/** Syncs a file, or a folder's list of files, to the disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function reachDisk({ NODEFS }: Module): void {
  NODEFS.stream_ops.fsync = ({ nfd, node }) => {
    if (nfd === undefined) syncFile(NODEFS.realPath(node))
    else fdatasyncSync(nfd)
    return 0
  }
}
