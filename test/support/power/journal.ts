import { spyOn } from 'bun:test'
import { DurableFs } from '../../../src/database/embedded/pglite.ts'

/** What a file system was asked to do, in order; paths are below the folder. */
export type Entry =
  | { readonly kind: 'write'; readonly path: string; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly path: string; readonly size: number }
  | { readonly kind: 'create' | 'mkdir' | 'unlink' | 'rmdir'; readonly path: string }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  | { readonly kind: 'sync'; readonly path: string }

type Node = { readonly name: string }
type Stream = { readonly node: Node; readonly flags: number }
type Operations = Record<string, (...given: never[]) => unknown>
type NodeFs = {
  realPath(node: unknown): string
  readonly node_ops: Operations
  readonly stream_ops: Operations
}

const truncating = 0o1000
const folderBit = 0o040000

/**
 * Writes down what an embedded database does to its folder, from when it is opened; `onOpen` is called before.
 */
export function keepJournal(
  folder: string,
  onOpen: () => void,
): { readonly entries: readonly Entry[]; stop(): void } {
  const entries: Entry[] = []
  const original = DurableFs.prototype.init
  const spy = spyOn(DurableFs.prototype, 'init').mockImplementation(async function (
    this: DurableFs,
    ...given: Parameters<DurableFs['init']>
  ) {
    onOpen()
    const { emscriptenOpts } = await original.apply(this, given)
    const preRun = [...(emscriptenOpts.preRun ?? []), ({ NODEFS }: { NODEFS: NodeFs }) => listen(NODEFS)]
    return { emscriptenOpts: { ...emscriptenOpts, preRun } }
  } as typeof original)
  return { entries, stop: () => spy.mockRestore() }

  function listen(fs: NodeFs): void {
    const pathOf = (node: unknown) => fs.realPath(node).slice(folder.length + 1)
    const inFolder = (parent: unknown, name: string) => `${pathOf(parent)}/${name}`.replace(/^\//, '')
    after(
      fs.stream_ops,
      'write',
      ([{ node }, buffer, offset, , at]: [Stream, Int8Array, number, number, number], n) => {
        const bytes = Uint8Array.from(new Uint8Array(buffer.buffer, buffer.byteOffset + offset, n as number))
        entries.push({ kind: 'write', path: pathOf(node), at, bytes })
      },
    )
    after(fs.stream_ops, 'open', ([{ node, flags }]: [Stream]) => {
      if ((flags & truncating) !== 0) entries.push({ kind: 'truncate', path: pathOf(node), size: 0 })
    })
    after(fs.stream_ops, 'setattr', ([{ node }, { size }]: [Stream, { size?: number }]) => {
      if (size !== undefined) entries.push({ kind: 'truncate', path: pathOf(node), size })
    })
    after(fs.stream_ops, 'fsync', ([{ node }]: [Stream]) =>
      entries.push({ kind: 'sync', path: pathOf(node) }),
    )
    after(fs.node_ops, 'setattr', ([node, { size }]: [Node, { size?: number }]) => {
      if (size !== undefined) entries.push({ kind: 'truncate', path: pathOf(node), size })
    })
    after(fs.node_ops, 'mknod', ([parent, name, mode]: [Node, string, number]) =>
      entries.push({ kind: (mode & folderBit) === 0 ? 'create' : 'mkdir', path: inFolder(parent, name) }),
    )
    after(fs.node_ops, 'unlink', ([parent, name]: [Node, string]) =>
      entries.push({ kind: 'unlink', path: inFolder(parent, name) }),
    )
    after(fs.node_ops, 'rmdir', ([parent, name]: [Node, string]) =>
      entries.push({ kind: 'rmdir', path: inFolder(parent, name) }),
    )
    const rename = fs.node_ops.rename as (...given: [Node, Node, string]) => void
    fs.node_ops.rename = (node: Node, parent: Node, name: string) => {
      const path = pathOf(node)
      rename(node, parent, name)
      entries.push({ kind: 'rename', path, to: inFolder(parent, name) })
    }
  }
}

function after<Given extends unknown[]>(
  operations: Operations,
  name: string,
  tell: (given: Given, result: unknown) => unknown,
): void {
  const original = operations[name] as unknown as (...given: Given) => unknown
  operations[name] = ((...given: Given) => {
    const result = original(...given)
    tell(given, result)
    return result
  }) as never
}
