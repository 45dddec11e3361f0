import { withoutSurplusMarks } from '../field-parsing.ts'
import { textBounds } from '../text-bounds.ts'
import { wordList } from '../word-list.ts'

/** For so long after signing in, forms that make a secret do not ask for the password. */
export const confirmedMinutes = 15

export const minPasswordBytes = 10

/**
 * The hashed form: NFC, because keyboards compose an é differently, with at most 4 combining marks in a row.
 */
export function normalizePassword(text: string): string {
  return withoutSurplusMarks(text).normalize('NFC')
}

/** The reasons to refuse a password, empty if it is valid (docs/decisions.md#accounts). */
export function passwordReasons(password: string, username: string, baseUrl: string): string[] {
  const normalized = normalizePassword(password)
  const bytes = new TextEncoder().encode(normalized).length
  return [
    // The message counts characters, because ten of any kind are enough bytes.
    ...(bytes < minPasswordBytes ? [`must be at least ${minPasswordBytes} characters`] : []),
    ...(bytes > textBounds.password ? [`must be at most ${textBounds.password} bytes`] : []),
    ...(normalized.isWellFormed() ? [] : ['must be well-formed Unicode']),
    ...(bytes < minPasswordBytes
      ? []
      : guessableReasons(normalized.toLowerCase(), username.toLowerCase(), baseUrl)),
  ]
}

function guessableReasons(lowerCase: string, username: string, baseUrl: string): string[] {
  if (lowerCase === username) return ["can't be your username"]
  // The parts of our host name, such as the name of a company, are among the first guesses of an attacker.
  const isPoor = isGuessable(lowerCase, [username, ...new URL(baseUrl).hostname.split('.')])
  return isPoor ? ['is too easy to guess: try a few unrelated words'] : []
}

/** Rows of neighbours on keyboards, in the alphabet and among the digits, in both directions. */
const rows = ['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'qwertzuiop', 'azertyuiop']
  .concat(['asdfghjkl', 'zxcvbnm', 'yxcvbnm', '1qaz2wsx3edc4rfv5tgb6yhn7ujm', 'qazwsxedcrfvtgbyhnujm'])
  .flatMap((row) => [row, [...row].reverse().join('')])

/** Digits and marks that stand for letters, and these letters. */
const marks = '013457@$!'
const letters = 'oieastasi'

/** A common word with at most this many digits and marks around it is guessable. */
const fewAround = 6

/** Longer passwords are hard to guess, and the check must stay quick. */
const longest = 64

/**
 * Whether a text is common, one or two common words with a few digits and marks, a repeated part, or a run of
 * neighbours. `own` are words of the user. All are in lower case.
 */
function isGuessable(text: string, own: readonly string[]): boolean {
  if (commonPasswords.has(text) || isRepetition(text)) return true
  if (text.length > longest) return false
  const ofOwner = own.map((word) => word.replace(/[^a-z]/g, ''))
  const words = new Set([...commonWords, ...ofOwner.filter((word) => word.length > 2)])
  return isInRows(text) || isOfWords(text, words)
}

function isRepetition(text: string): boolean {
  const lengths = [1, 2, 3, 4].filter((length) => text.length >= 2 * length)
  return lengths.some((length) => text === text.slice(0, length).repeat(text.length).slice(0, text.length))
}

/** Whether a text consists of runs of three or more neighbours or equal characters. */
function isInRows(text: string): boolean {
  for (let from = 0; from < text.length; ) {
    const length = longestRow(text.slice(from))
    if (length < 3) return false
    from += length
  }
  return true
}

function longestRow(text: string): number {
  const same = /^(.)\1*/su.exec(text)?.[0].length ?? 0
  let length = 2
  while (length < text.length && rows.some((row) => row.includes(text.slice(0, length + 1)))) length += 1
  return Math.max(same, length)
}

/** A digit or mark at an end may stand for a letter or for itself, so both readings are tried. */
function isOfWords(text: string, words: ReadonlySet<string>): boolean {
  return [text, withLetters(text)].some((spelled) => {
    const [core = ''] = /[a-z].*[a-z]/s.exec(spelled) ?? []
    if (core === '' || text.length - core.length > fewAround) return false
    const joined = withLetters(core).replace(/[^a-z]/g, '')
    return words.has(core) || words.has(joined) || isTwoWords(joined, words)
  })
}

function withLetters(text: string): string {
  return text.replace(/[013457@$!]/g, (mark) => letters.charAt(marks.indexOf(mark)))
}

function isTwoWords(text: string, words: ReadonlySet<string>): boolean {
  for (let at = 3; at <= text.length - 3; at += 1) {
    const [first, rest] = [text.slice(0, at), text.slice(at)]
    if (words.has(first) && (words.has(rest) || rest === first.repeat(rest.length / first.length)))
      return true
  }
  return false
}

/** The most common passwords that no other rule refuses, in lower case. */
export const commonPasswords = wordList(`
  1029384756 1112223334 1122334455 112233445566 12345678900 12345678901 123456789012 12345678910 1234567891
  1234567899 123456789a 123456789q 123456789z 1234567890a 1234567890q 1357924680 1472583690 1478523690
  1597534682 1q2w3e4r5t 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1qaz@wsx3edc 3.1415926535 3141592653 987654321a
  a123456789 a1b2c3d4e5 a1s2d3f4g5 asdfghjkl1 asdfghjkl; changemenow christopher contrasena
  correcthorsebatterystaple helloworld kristina123 liverpoolfc masterkey1 motherfucker mypassword
  mypassword1 mypassword123 myspace123 ninja12345 pass12345678 q1w2e3r4t5 q1w2e3r4t5y6 qazwsxedc1
  qqww1122334455 qwaszx1234 qweasdzxc1 qwertyuiop1 qwertyuiop12 qwertyuiop[] qwertyuiop[]\\ test1234567
  test12345678 thebeatles trustno1trustno1 unbelievable undertaker volleyball zxcvbnm,./
`)

/** Words that attackers combine with digits, marks and each other: names, sports, times, work, and our own words. */
export const commonWords = wordList(`
  abcdef access account accounts admin administrator alexander alexis amanda america andrea andrew angel
  animal annie anthony apple april arsenal ashley august austin autumn azerty babygirl backend backup badge
  bailando bailey banana barcelona baseball basketball batman beautiful berlin bismillah blink brandon brazil
  brooklyn bubbles buddy business buster butterfly camila canada career carlos carolina celtic changeit
  changeme charlie cheese chelsea chester chicken chocolate chris christ christian claudia client cloud coffee
  company computer cookie cooper corporate corvette cowboy cricket crystal customer dallas daniel daniela
  danielle database david december default demo deploy deployment destiny developer development devops diablo
  diamond docker dolphin dragon eagle eagles elephant elizabeth employee engineer engineering england
  enterprise example facebook factory falcon family february ferrari finance firefox fishing flower football
  forever fortnite france freedom friday friend friends frontend fuckme fuckyou gabriel garden genesis george
  germany ginger github gitlab global golden google gordon group guitar hacker hannah happy harley heaven
  hello hockey hospital hotel human hunter iloveu iloveyou india industries intern internet ireland italia
  italy january jasmine jason jenkins jennifer jessica jesus jordan joseph joshua july june junior justin
  juventus killer kitten knight kubernetes lakers laptop legend letmein linux liverpool login london love
  lovely loveme loveyou lucky maggie manager manchester march marina marine market marketing marseille martin
  master matrix matthew maxwell melissa mercedes merlin metallica mexico michael michelle mickey microsoft
  minecraft monday money monkey monster morgan mother mountain mustang naruto nascar natasha nathan newyork
  nicholas nicole nirvana november october office oliver operations orange organization pakistan paris partner
  pass passw passwd password passwort patrick peanut pepper personal phoenix pipeline platform pokemon
  portugal princess private product production project projects public purple qazwsx qwert qwerty qwertz
  rabbit rachel raiders ranger realmadrid rebecca release richard robert root russia sales samantha samsung
  saturday school scooter secret secure security september server service services shadow shipfeed shipit
  silver simple slipknot snoopy soccer software solutions sophie spain spider spiderman spring staff staging
  startup starwars steelers stella steven student studio summer sunday sunflower sunshine superman supervisor
  support sweet system systems teacher team technology temporary tennis test tester testing thomas thunder
  thursday tiger tigger tinkerbell toyota trainee travel trustno tuesday turtle twilight university user
  valentina vanessa vendor victoria virginia visitor website wednesday welcome whatever william willow windows
  winner winter wizard worker workplace workspace yamaha yankees yellow zxcvbn
`)
