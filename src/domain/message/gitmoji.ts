/** The shortcodes of https://gitmoji.dev (3.15), and others that titles of commits often begin with. */
const emoji: ReadonlyMap<string, string> = new Map(
  `art 🎨 zap ⚡️ fire 🔥 bug 🐛 ambulance 🚑️ sparkles ✨ memo 📝 rocket 🚀 lipstick 💄 tada 🎉 white_check_mark ✅
  lock 🔒️ closed_lock_with_key 🔐 bookmark 🔖 rotating_light 🚨 construction 🚧 green_heart 💚 arrow_down ⬇️
  arrow_up ⬆️ pushpin 📌 construction_worker 👷 chart_with_upwards_trend 📈 recycle ♻️ heavy_plus_sign ➕
  heavy_minus_sign ➖ wrench 🔧 hammer 🔨 globe_with_meridians 🌐 pencil2 ✏️ poop 💩 rewind ⏪️
  twisted_rightwards_arrows 🔀 package 📦️ alien 👽️ truck 🚚 page_facing_up 📄 boom 💥 bento 🍱 wheelchair ♿️ bulb 💡
  beers 🍻 speech_balloon 💬 card_file_box 🗃️ loud_sound 🔊 mute 🔇 busts_in_silhouette 👥 children_crossing 🚸
  building_construction 🏗️ iphone 📱 clown_face 🤡 egg 🥚 see_no_evil 🙈 camera_flash 📸 alembic ⚗️ mag 🔍️ label 🏷️
  seedling 🌱 triangular_flag_on_post 🚩 goal_net 🥅 dizzy 💫 wastebasket 🗑️ passport_control 🛂 adhesive_bandage 🩹
  monocle_face 🧐 coffin ⚰️ test_tube 🧪 necktie 👔 stethoscope 🩺 bricks 🧱 technologist 🧑‍💻 money_with_wings 💸
  thread 🧵 safety_vest 🦺 airplane ✈️
  beetle 🪲 lady_beetle 🐞 racehorse 🐎 broom 🧹 blue_book 📘 books 📚 gear ⚙️ gift 🎁 key 🔑 ok_hand 👌 robot 🤖 ship 🚢
  star ⭐ triangular_ruler 📐 unlock 🔓 whale 🐳`
    .split(/\s(?=[a-z])/)
    .map((row) => row.trim().split(' ') as [string, string]),
)

/** One or several shortcodes, but neither a part of `std::fire::now` nor of an address. */
const shortcodes = /(?<![\w/:])(?::[a-z\d_+-]+:)+(?!:)/gi

/** A text in which the shortcodes of gitmoji, such as `:sparkles:`, are emoji; others stay. */
export function withEmoji(text: string): string {
  return text.replace(shortcodes, (found) =>
    found.replace(/:([^:]+):/g, (code, name: string) => emoji.get(name.toLowerCase()) ?? code),
  )
}
