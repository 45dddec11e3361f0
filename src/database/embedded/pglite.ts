import { fdatasyncSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import initdbPath from '@electric-sql/pglite/initdb.wasm' with { type: 'file' }
import { NodeFS } from '@electric-sql/pglite/nodefs'
import fsBundlePath from '@electric-sql/pglite/pglite.data' with { type: 'file' }
import postgresPath from '@electric-sql/pglite/pglite.wasm' with { type: 'file' }
import { syncFile } from './directory.ts'
import imagePath from './empty-database.image' with { type: 'file' }

/** Reads the files that PGlite would look for next to its code. In the single binary, they are not there. */
export async function readPgliteFiles() {
  const [pgliteWasmModule, initdbWasmModule] = await Promise.all([compile(postgresPath), compile(initdbPath)])
  return { pgliteWasmModule, initdbWasmModule, fsBundle: Bun.file(fsBundlePath), startParams }
}

/** By default, Postgres takes 128 MB for buffers, and WebAssembly memory never shrinks. */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']

async function compile(path: string): Promise<WebAssembly.Module> {
  return await WebAssembly.compile(await Bun.file(path).bytes())
}

/** The tar of an empty database, which `npm run image` makes: initdb takes ten times as long and a gigabyte of memory. */
export async function readImage(): Promise<Buffer<ArrayBuffer>> {
  return (await Bun.zstdDecompress(await Bun.file(imagePath).bytes())) as Buffer<ArrayBuffer>
}

/** The part of Emscripten through which Postgres reaches the machine's file system. */
type Module = {
  readonly NODEFS: {
    realPath(node: unknown): string
    readonly stream_ops: { fsync?: (stream: { readonly nfd?: number; readonly node: unknown }) => number }
  }
}

/** PGlite's own reports success without syncing: a power cut could lose announcements (@electric-sql/pglite 0.5.16). */
export class DurableFs extends NodeFS {
  override async init(...given: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...given)
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), reachDisk] } }
  }
}

/** Without `-F`, which turns fsync off; syncs go through our file system, and few old log files are kept. */
export function durableParams(params: readonly string[]): string[] {
  const settings = ['wal_sync_method=fsync', 'max_wal_size=64MB', 'min_wal_size=32MB']
  return [...params.filter((param) => param !== '-F'), ...settings.flatMap((setting) => ['-c', setting])]
}

function reachDisk({ NODEFS }: Module): void {
  NODEFS.stream_ops.fsync = ({ nfd, node }) => {
    if (nfd === undefined) syncFile(NODEFS.realPath(node))
    else fdatasyncSync(nfd)
    return 0
  }
}
