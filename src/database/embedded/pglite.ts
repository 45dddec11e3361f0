import { fdatasyncSync } from 'node:fs'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
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

export async function pgliteHash(): Promise<Buffer> {
  const hash = new Bun.CryptoHasher('sha256')
  for (const path of [postgresPath, initdbPath, fsBundlePath]) hash.update(await Bun.file(path).bytes())
  return hash.digest()
}

/** By default, Postgres takes 128 MB for buffers, and WebAssembly memory never shrinks. */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']

async function compile(path: string): Promise<WebAssembly.Module> {
  return await WebAssembly.compile(await Bun.file(path).bytes())
}

/** The image begins with the `pgliteHash` of its PGlite. A tar compressed by zstd follows. */
const hashBytes = 32

/** Unpacks the image that `npm run image` makes. initdb takes ten times as long and a gigabyte of memory. */
export async function makeEmptyDatabase(path: string, files: PGliteOptions): Promise<void> {
  const image = await readImage()
  if (image === null) await runInitdb(path, files)
  else await new Bun.Archive(image).extract(path)
}

/** Null if another version of PGlite made the image. */
export async function readImage(): Promise<Buffer<ArrayBuffer> | null> {
  const image = await Bun.file(imagePath).bytes()
  const isOfThisPglite = (await pgliteHash()).equals(image.subarray(0, hashBytes))
  return isOfThisPglite
    ? ((await Bun.zstdDecompress(image.subarray(hashBytes))) as Buffer<ArrayBuffer>)
    : null
}

/** Drops the two template databases: they have two thirds of the files, and each file has to be synced. */
export async function runInitdb(path: string, files: PGliteOptions): Promise<void> {
  const client = await PGlite.create(path, files)
  await client.exec('update pg_database set datistemplate = false')
  for (const template of ['template0', 'template1']) await client.exec(`drop database ${template}`)
  await client.close()
}

/** The part of Emscripten through which Postgres reaches the machine's file system. */
type Module = {
  readonly NODEFS: {
    realPath(node: unknown): string
    readonly stream_ops: { fsync?: (stream: { readonly nfd?: number; readonly node: unknown }) => number }
  }
}

/** NodeFS reports success without syncing: a power cut could lose announcements (@electric-sql/pglite 0.5.16). */
export class DurableFs extends NodeFS {
  override async init(...given: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...given)
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), reachDisk] } }
  }
}

/** Removes `-F`, which turns fsync off. `DurableFs` then syncs the log. Few old files of the log are kept. */
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
