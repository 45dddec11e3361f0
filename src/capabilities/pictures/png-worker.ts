// Renders pictures in a separate thread, because each blocks its thread for about 25 ms.
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import wasmPath from '@resvg/resvg-wasm/index_bg.wasm' with { type: 'file' }
import { family, fontFiles } from './font.ts'

declare const self: Worker

const font = { fontBuffers: fontFiles(), defaultFontFamily: family }
const ready = Bun.file(wasmPath).bytes().then(initWasm)

self.onmessage = async ({ data: svg }: MessageEvent<string>) => {
  await ready
  const drawing = new Resvg(svg, { font })
  const picture = drawing.render()
  const png = picture.asPng()
  // Both are in the memory of WebAssembly, which has no garbage collection.
  picture.free()
  drawing.free()
  self.postMessage(png)
}
