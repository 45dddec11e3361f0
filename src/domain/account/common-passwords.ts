/** What guessing begins with among passwords that are long enough to be chosen here, in lower case. */
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

/**
 * Words that guessing puts digits, marks and each other around: names, sports, times, and this service's own.
 */
export const commonWords: ReadonlySet<string> = new Set(
  `
  abcdef access account admin administrator alexander alexis amanda america andrea andrew angel animal annie
  anthony apple april arsenal ashley august austin autumn azerty babygirl backup badge bailey bailando banana
  barcelona baseball basketball batman beautiful berlin bismillah blink brandon brazil brooklyn bubbles buddy
  buster butterfly camila canada carlos carolina celtic changeit changeme charlie cheese chelsea chester chicken
  chocolate chris christ christian claudia coffee computer cookie cooper corvette cowboy cricket crystal dallas
  daniel daniela danielle database david december default demo deploy deployment destiny devops diablo diamond
  docker dolphin dragon eagle eagles elephant elizabeth england example facebook falcon family february ferrari
  firefox fishing flower football forever fortnite france freedom friday friend friends fuckme fuckyou gabriel
  garden genesis george germany ginger github gitlab golden google gordon guitar hacker hannah happy harley
  heaven hello hockey hunter iloveu iloveyou india internet ireland italia italy january jasmine jason jenkins
  jennifer jessica jesus jordan joseph joshua july june junior justin juventus killer kitten knight kubernetes
  lakers laptop legend letmein linux liverpool login london love lovely loveme loveyou lucky maggie manager
  manchester march marina marine market marseille martin master matrix matthew maxwell melissa mercedes merlin
  metallica mexico michael michelle mickey microsoft minecraft monday money monkey monster morgan mother
  mountain mustang naruto nascar natasha nathan newyork nicholas nicole nirvana november october oliver orange
  pakistan paris pass passw passwd password passwort patrick peanut pepper phoenix pipeline pokemon portugal
  princess purple qazwsx qwert qwerty qwertz rabbit rachel ranger raiders realmadrid rebecca release richard
  robert root russia samantha samsung saturday school scooter secret secure security september server service
  shadow shipfeed shipit silver simple slipknot snoopy soccer sophie spain spider spiderman spring starwars
  steelers stella steven summer sunday sunflower sunshine superman support sweet system tennis test tester
  testing thomas thunder thursday tiger tigger tinkerbell toyota trustno tuesday turtle twilight user valentina
  vanessa victoria virginia wednesday welcome whatever william willow windows winner winter wizard yamaha yankees
  yellow zxcvbn
  `
    .trim()
    .split(/\s+/),
)
