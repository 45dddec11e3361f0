import { Html } from '@elysiajs/html'
import type { PageSlots } from '../../views/page/slots.ts'
import { escaped } from '../../views/parts/markup.ts'
import { cardSize } from './parts.tsx'

/** The tags that name the picture of a page, which is below its address. */
export const previewPicture: PageSlots = {
  inPreview: ({ title, address }) => (
    <>
      <meta property="og:image" content={escaped(`${address}/card.png`)} />
      <meta property="og:image:type" content="image/png" />
      <meta property="og:image:width" content={String(cardSize.width)} />
      <meta property="og:image:height" content={String(cardSize.height)} />
      <meta property="og:image:alt" content={escaped(title)} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  ),
}
