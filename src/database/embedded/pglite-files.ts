import type { PGliteOptions } from '@electric-sql/pglite'
import initdbPath from '@electric-sql/pglite/initdb.wasm' with { type: 'file' }
import fsBundlePath from '@electric-sql/pglite/pglite.data' with { type: 'file' }
import postgresPath from '@electric-sql/pglite/pglite.wasm' with { type: 'file' }

type Files = Required<Pick<PGliteOptions, 'pgliteWasmModule' | 'initdbWasmModule' | 'fsBundle'>>

/** Reads what PGlite would look for beside its own code, where nothing lies in the one binary. */
export async function readPgliteFiles(): Promise<Files> {
  const [pgliteWasmModule, initdbWasmModule] = await Promise.all([compile(postgresPath), compile(initdbPath)])
  return { pgliteWasmModule, initdbWasmModule, fsBundle: Bun.file(fsBundlePath) }
}

async function compile(path: string): Promise<WebAssembly.Module> {
  return await WebAssembly.compile(await Bun.file(path).bytes())
}
