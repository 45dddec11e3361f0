import { withoutSurplusMarks } from '../field-parsing.ts'

export const minPasswordBytes = 10
export const maxPasswordBytes = 1024

/**
 * The form of a password that is hashed: NFC, because keyboards differ in how they compose an é, and with at
 * most 4 combining marks in a row.
 */
export function normalizePassword(text: string): string {
  return withoutSurplusMarks(text).normalize('NFC')
}

/**
 * The reasons to refuse a password, empty if it is valid: once normalized, it must have 10 to 1,024 bytes and be
 * well-formed, and it must be neither the username nor easy to guess (docs/decisions.md#accounts). `baseUrl` is
 * the public address of this service.
 */
export function passwordReasons(password: string, username: string, baseUrl: string): string[] {
  const normalized = normalizePassword(password)
  const bytes = new TextEncoder().encode(normalized).length
  return [
    // The message counts characters, because ten of any kind are enough bytes.
    ...(bytes < minPasswordBytes ? [`must be at least ${minPasswordBytes} characters`] : []),
    ...(bytes > maxPasswordBytes ? [`must be at most ${maxPasswordBytes} bytes`] : []),
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
  return isPoor ? ['is one of the most common passwords, or too close to one: please choose another'] : []
}

/** Rows of neighbours: on keyboards, in the alphabet and among the digits, in both directions. */
const rows = ['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'qwertzuiop', 'azertyuiop']
  .concat(['asdfghjkl', 'zxcvbnm', 'yxcvbnm', '1qaz2wsx3edc4rfv5tgb6yhn7ujm', 'qazwsxedcrfvtgbyhnujm'])
  .flatMap((row) => [row, [...row].reverse().join('')])

/** Digits and marks that are used in place of letters. */
const letters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** A common word with at most this many digits and marks around it is guessable. */
const fewAround = 6

/** Longer passwords are not checked for words, because they are hard to guess and the check must stay quick. */
const longest = 64

/**
 * Whether a password is easy to guess despite its length: one of the most common, one or two common words with a
 * few digits and marks around them, a repeated part, or a run of neighbours on a keyboard. `own` are words that
 * belong to the user, such as the username. All are in lower case.
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
  return text.replace(/[013457@$!]/g, (mark) => letters[mark] ?? mark)
}

function isTwoWords(text: string, words: ReadonlySet<string>): boolean {
  for (let at = 3; at <= text.length - 3; at += 1) {
    const [first, rest] = [text.slice(0, at), text.slice(at)]
    if (words.has(first) && (words.has(rest) || rest === first.repeat(rest.length / first.length)))
      return true
  }
  return false
}

/** The most common passwords that are long enough to be accepted here, in lower case. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
  0000000000 00000000000 000000000000 0123456789 01234567890 0987654321 09876543210 1029384756 1111111111
  11111111111 111111111111 1112223334 1122334455 112233445566 1212121212 121212121212 123123123123
  1231231231 1234512345 12345qwert 12345678900 1234567890 12345678901 123456789012 12345678910 1234567891
  1234567899 123456789a 123456789q 123456789z 1234567890a 1234567890q 123456123456 123321123321 1234554321
  123456654321 1234qwerasdf 1234qwerty 123qweasdzxc 123qwe123qwe 1357924680 1472583690 1478523690 1597534682
  1q2w3e4r5t 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qaz@wsx3edc 1qazxsw23edc 2222222222
  3.1415926535 3141592653 5555555555 6666666666 7777777777 8888888888 9876543210 9999999999 987654321a
  a123456789 a1b2c3d4e5 a1s2d3f4g5 aaaaaaaaaa abc1234567 abc123456789 abcd123456 abcd12345678 abcde12345
  abcdefghij abcdefghijk abcdefghijkl access14321 admin12345 admin123456 administrator adminadmin
  admin@12345 alexander1 asdfasdfasdf asdfghjkl1 asdfghjkl123 asdfghjkl; asdf123456 asdqwe123456
  asdasdasdasd azertyuiop baseball123 basketball basketball1 beautiful1 bismillah1 blink182182 butterfly1
  changeme123 changemenow chocolate1 christopher computer123 contrasena correcthorsebatterystaple
  dragon12345 elizabeth1 facebook123 football123 forever123 fuckyou123 google1234 helloworld hello12345
  hello123456 iloveyou12 iloveyou123 iloveyou1234 internet123 jesuschrist jordan2323 killer1234 kristina123
  letmein123 letmein1234 liverpool1 liverpoolfc login12345 manchester masterkey1 metallica1 michael123
  microsoft1 minecraft1 minecraft123 monkey1234 motherfucker mypassword mypassword1 mypassword123 myspace123
  ninja12345 p@ssw0rd12 p@ssw0rd123 p@ssw0rd1234 p@ssword123 pa55word123 pass123456 pass12345678 pass@12345
  passpass123 passw0rd12 passw0rd123 passw0rd1234 password00 password01 password10 password11 password12
  password123 password123! password1234 password12345 password123456 password1! password99 password@1
  password@123 password@1234 password!23 passwordpassword passwort123 pokemon123 princess123 princess12
  q1w2e3r4t5 q1w2e3r4t5y6 qazwsx1234 qazwsx123456 qazwsxedc1 qazwsxedc123 qazwsxedcrfv qqww1122334455
  qwaszx1234 qwe123qwe123 qweasdzxc1 qweasdzxc123 qweqweqweqwe qwer123456 qwer12345678 qwerasdfzxcv
  qwert12345 qwerty1234 qwerty12345 qwerty123456 qwerty123456789 qwerty12345678 qwertyqwerty qwertyuiop
  qwertyuiop1 qwertyuiop12 qwertyuiop123 qwertyuiop[] qwertyuiop[]\\ qwertzuiop samsung123 secret1234
  september1 starwars123 sunshine123 superman123 superman12 test123456 test1234567 test12345678 testtest123
  thebeatles trustno1trustno1 unbelievable undertaker volleyball welcome123 welcome1234 welcome12345
  welcome@123 whatever123 xxxxxxxxxx zaq12wsxcde3 zaq1zaq1zaq1 zaqxswcde123 zxcvbnm123 zxcvbnm1234
  zxcvbnm,./ zxcvbnm123456 zzzzzzzzzz
  `
    .trim()
    .split(/\s+/),
)

/** Words that attackers combine with digits, marks and each other: names, sports, times, work, and our own words. */
export const commonWords: ReadonlySet<string> = new Set(
  `
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
  `
    .trim()
    .split(/\s+/),
)
