// Passwords that attackers try first: long ones that occur often in leaks, and their common words.

/** Whole passwords of at least 12 characters, lower case, that no rule of the policy catches. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
  password123! password!123 password@123 password#123 password123# password$123 password-123
  password_123 password.123 passw0rd123! passw0rd!123 passw0rd@123 p@ssw0rd123! p@ssw0rd!123
  p@ssword123! p@ssword@123 pa$$word123! pa$$w0rd123! p@$$w0rd123! p@$$word123! passwort123!
  welcome@1234 welcome123!! welcome!2345 welcome@123! letmein123!! letmein@123! letmein!1234
  changeme123! changeme@123 changeme!123 changeit123! change.me123 changemenow! changethis1!
  pleasechange pleasechangeme changemeplease mustchangeit needtochange notapassword
  administrator administrator! admin@123456 admin123456! admin@admin! admin!@#1234 admin123!@#$
  root@1234567 rootroot123! toor12345678 superuser123 sysadmin123! webmaster123 postmaster12
  trustno1trustno1 trustnoone12 trustnobody1 iloveyou123! iloveyou!123 iloveyou@123 iloveyousomuch
  iloveyouforever iloveyoubaby iloveyou2much iloveyoumore iloveyoualot iloveyou4ever iloveyou143143
  ilovemyfamily ilovemymother ilovemyself1 ilovemycats1 ilovemydogs1 ilovejesus123 ilovegod1234
  jesuslovesme jesusislord1 jesuschrist1 godisgreat12 godisgood123 thankyoujesus blessed12345
  loveyouforever foreverlove1 lovelylovely loveislove12 iloveu143143 mylove123456 babygirl1234
  princess1234 sweetheart12 beautiful123 beautifulgirl sunshine1234 butterfly123 rainbow12345
  football1234 baseball1234 basketball12 basketball23 volleyball12 manchester12 manchesterunited
  liverpoolfc1 liverpool123 chelseafc123 arsenalfc123 realmadrid12 realmadrid123 barcelona123
  fcbarcelona1 juventus1234 galatasaray1 fenerbahce12 besiktas1903 galatasaray1905 fenerbahce1907
  starwars1234 maytheforce1 maytheforcebewithyou darthvader12 lukeskywalker
  skywalker123 startrek1234
  gameofthrones harrypotter1 harrypotter12 hogwarts1234 lordoftherings pokemon12345 spongebob123
  spiderman123 superman1234 batman123456 ironman12345 transformers dragonball12 dragonballz1
  naruto123456
  pikachu12345 minecraft123 minecraft1234 fortnite1234 callofduty12 counterstrike counterstrike1
  worldofwarcraft leagueoflegends playstation1 playstation3 nintendo1234 assassinscreed metallica123
  ironmaiden12 linkinpark12 slipknot1234 greenday1234 nirvana12345 michaeljackson
  mychemicalromance justinbieber justinbieber1 onedirection onedirection1 taylorswift1 taylorswift13
  christopher1 christopher12 christopher123 alexander123 alexandra123 elizabeth123 stephanie123
  jennifer1234 jonathan1234 michelle1234 nicholas1234 charlotte123 gabriella123 sebastian123
  francisco123 guadalupe123 valentina123 tinkerbell12 strawberry12 strawberry1! blackberry12
  watermelon12 chocolate123 chocolatecake cheesecake12 peanutbutter icecream1234 marshmallow1
  computer1234 internet1234 microsoft123 microsoft12! windows12345 windows10pro google123456
  facebook1234 facebook12345 instagram123 samsung12345 samsunggalaxy motorola1234 blackberry123
  mustang12345 chevrolet123 ferrari12345 lamborghini1 lamborghini12 harleydavidson harleydavidson1
  corvette1234 motorcycle12 skateboard12 snowboarding snowboard123 california12 california123
  newyorkcity1 newyork12345 losangeles12 washington12 philadelphia massachusetts pennsylvania
  northcarolina southcarolina unitedstates unitedkingdom argentina123 australia123 singapore123
  indonesia123 philippines1 bangladesh12 pakistan1234 pakistanzindabad india1234567 hindustan123
  september123 september11th november1234 december1234 february1234 summertime12 wintertime12
  springtime12 happybirthday happynewyear merrychristmas christmas123 halloween123 thanksgiving
  whatever1234 whateverwhatever whatthefuck1 whatthehell1 fuckyou12345 fuckyoubitch fuckoff12345
  motherfucker motherfucker1 asshole12345 bullshit1234 pussylover12 ilovepussy12 lovemenow123
  opensesame12 opensesame123 secret123456 secretsecret topsecret123 mypassword12 mypassword123
  mypassword1! yourpassword thepassword1 newpassword1 newpassword12 newpassword! oldpassword1
  password4life passwordisthis thisismypassword thisisapassword thisispassword passwordpassword
  correcthorsebatterystaple correct-horse-battery-staple onetwothreefour onetwothree123
  abcdefg12345 abc123abc123 abcd1234abcd aaaa1111bbbb asdf1234asdf qwer1234qwer qwerty123!@#
  qwerty!@#123 zxcvbn123456 zaq12wsxcde3 zaq1xsw2cde3 zaq!2wsxcde3 1q2w3e4r5t6y 1qaz!qaz2wsx
  1qaz@wsx3edc !qaz2wsx3edc !qaz@wsx#edc 1qazxsw23edc qazwsx123456 qweasdzxc123 qweasd123456
  asdqwe123456 q1w2e3r4t5y6 p0o9i8u7y6t5 987654321987 147258369147 147258369000 159753456852
  789456123000 741852963000 123123123123 123321123321 112233445566 102030405060 314159265358
  31415926535897 271828182845 007007007007 696969696969 420420420420 010203040506 111222333444
  monitoring123 uptimemonitor statuspage12 healthcheck1 servermonitor
  `
    .trim()
    .split(/\s+/),
)

/** Words that occur in such passwords, lower case: each counts as at most one character. */
export const commonWords: readonly string[] = `
  password passwort passwd passw0rd contrasena parola senha wachtwoord motdepasse letmein welcome
  willkommen bienvenue changeme changeit default secret administrator admin root superuser sysadmin
  master login logon access guest user test testing temp demo sample example hello dragon monkey
  shadow sunshine princess football baseball basketball hockey soccer superman batman spiderman
  starwars pokemon iloveyou ilove loveyou forever whatever trustno trust freedom flower butterfly
  summer winter spring autumn monday tuesday wednesday thursday friday saturday sunday january
  february march april june july august september october november december michael jennifer jordan
  ashley daniel jessica charlie andrew thomas robert matthew nicole michelle hunter harley ranger
  killer tigger ginger pepper cookie cheese banana orange purple yellow silver golden diamond
  mustang ferrari porsche corvette computer internet server network windows linux ubuntu google
  facebook twitter samsung apple microsoft oracle cisco docker database company office business
  security qwerty azerty qwertz asdf zxcv abcd stillup uptime monitor monitoring status service
  please nothing letme enter open money jesus angel lovely babygirl buster maggie soccer arsenal
  chelsea liverpool barcelona madrid london berlin america canada england germany france india china
  `
  .trim()
  .split(/\s+/)
