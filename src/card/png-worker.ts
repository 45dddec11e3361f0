// Draws pictures in a thread of its own, because each takes some 25 ms of nothing else.
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import wasmPath from '@resvg/resvg-wasm/index_bg.wasm' with { type: 'file' }
import { family, fontFiles } from './inter.ts'

declare const self: Worker

const font = { fontBuffers: fontFiles(), defaultFontFamily: family }
const ready = Bun.file(wasmPath).bytes().then(initWasm)

self.onmessage = async ({ data: svg }: MessageEvent<string>) => {
  await ready
  const drawing = new Resvg(svg, { font })
  const picture = drawing.render()
  const png = picture.asPng()
  // Both are in the memory of WebAssembly, of which nothing is ever given back by itself.
  picture.free()
  drawing.free()
  self.postMessage(png)
}
