import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import initdbPath from '@electric-sql/pglite/initdb.wasm' with { type: 'file' }
import fsBundlePath from '@electric-sql/pglite/pglite.data' with { type: 'file' }
import postgresPath from '@electric-sql/pglite/pglite.wasm' with { type: 'file' }

type Files = Required<
  Pick<PGliteOptions, 'pgliteWasmModule' | 'initdbWasmModule' | 'fsBundle' | 'startParams'>
>

/** Reads the files that PGlite would look for next to its code. In the single binary, they are not there. */
export async function readPgliteFiles(): Promise<Files> {
  const [pgliteWasmModule, initdbWasmModule] = await Promise.all([compile(postgresPath), compile(initdbPath)])
  return { pgliteWasmModule, initdbWasmModule, fsBundle: Bun.file(fsBundlePath), startParams }
}

/** A hash that identifies this build of PGlite. */
export async function pgliteHash(): Promise<Buffer> {
  const hash = new Bun.CryptoHasher('sha256')
  for (const path of [postgresPath, initdbPath, fsBundlePath]) hash.update(await Bun.file(path).bytes())
  return hash.digest()
}

/**
 * By default, Postgres touches 128 MB of buffers at once, which the WebAssembly memory keeps. With fewer
 * buffers, pages are reread from the kernel's file cache.
 */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']

async function compile(path: string): Promise<WebAssembly.Module> {
  return await WebAssembly.compile(await Bun.file(path).bytes())
}
