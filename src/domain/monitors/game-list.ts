// The games that can be watched, by the protocol in which their servers are asked; as gamedig 5.3.3 has them.
//
// A line is an id, with the id of before if it had another one, the port for players, the port that is asked
// (or how far behind the other it is), and the name. Left out are the protocols of gamedig that ask other hosts
// or speak HTTP, those that reach another port than the one they are given (TeamSpeak), two in which a
// server could keep the decoder from ending (battlefield counts as far as it is told to, and mumble, the JSON of
// GTMurmur, has a pattern whose time grows with the square of the text), and four whose answers cannot be told from
// noise, or from a part of them: armagetron, rfactor and savage2 take any datagram, soldat any piece of a text.

/** The ids are sorted. `GOLDEN=1 npx tap test/domain/monitors/games.test.ts` writes it anew. */
export const gameList: Readonly<Record<string, string>> = {
  ase: `
    aoe2 0 27224 Age of Empires 2
    chaser 3000 +123 Chaser
    chrome 27015 +123 Chrome
    coj=callofjuarez 0 26000 Call of Juarez
    crce=crossracing 12321 +123 Cross Racing Championship Extreme
    farcry 49001 +123 Far Cry
    farcry2 0 14001 Far Cry 2
    gtasamta=mtasa 22003 +123 Grand Theft Auto: San Andreas - Multi Theft Auto
    gtavcmta=mtavc 22003 +123 Grand Theft Auto: Vice City - Multi Theft Auto
    painkiller 3455 +123 Painkiller
    universalcombat 1135 +123 Universal Combat
    xpandrally 28015 +123 Xpand Rally`,
  cs2d: `
    c2d=cs2d 36963 +0 CS2D`,
  dayz: `
    dayz 2302 +24714 DayZ`,
  doom3: `
    doom3 27666 +0 Doom 3
    etqw 3074 27733 Enemy Territory: Quake Wars
    prey 27719 +0 Prey
    quake4 28004 +0 Quake 4
    wolfenstein=wolfenstein2009 27666 +0 Wolfenstein`,
  ffow: `
    ffow 5476 +2 Frontlines: Fuel of War`,
  gamespy1: `
    acwa=armacwa 2302 +1 ARMA: Cold War Assault
    armaresistance=armar 2302 +1 ARMA: Resistance
    avp2 27888 +0 Aliens versus Predator 2
    baldursgate 6073 1470 Baldur's Gate
    battlefield1942=bf1942 14567 23000 Battlefield 1942
    c3db=commandos3 0 6500 Commandos 3: Destination Berlin
    cacr=cacrenegade 4848 25300 Command and Conquer: Renegade
    cbu 7777 +1 Clive Barker's Undying
    codenameeagle 0 4711 Codename Eagle
    contractjack=contactjack 0 27888 Contract J.A.C.K.
    ddpt=deadlydozenpt 0 25300 Deadly Dozen: Pacific Theater
    descent3 2092 20142 Descent 3
    deusex 7791 +1 Deus Ex
    dnf2001 7777 +1 Duke Nukem Forever 2001
    dootf=drakan 27045 +1 Drakan: Order of the Flame
    dtr2=dirttrackracing2 32240 -100 Dirt Track Racing 2
    f1c9902 0 34397 F1 Challenge '99-'02
    formulaone2002=f12002 0 3297 Formula One 2002
    gck=giantscitizenkabuto 0 8911 Giants: Citizen Kabuto
    globaloperations 0 28672 Global Operations
    gus=gore 27777 +1 Gore: Ultimate Soldier
    heretic2 27900 +1 Heretic II
    hiddendangerous2=had2 11001 +3 Hidden & Dangerous 2
    homeworld2 0 6500 Homeworld 2
    i2cs=igi2 0 26001 IGI 2: Covert Strike
    i2s=il2 0 21000 IL-2 Sturmovik
    ironstorm 0 3505 Iron Storm
    jb0n=jamesbondnightfire 0 6550 James Bond 007: Nightfire
    kloc=kingpin 31510 -10 Kingpin: Life of Crime
    kpctnc=kisspc 7777 +1 Kiss: Psycho Circus: The Nightmare Child
    moha=mohab 12203 +97 Medal of Honor: Airborne
    mohaa 12203 +97 Medal of Honor: Allied Assault
    mohaab=mohbt 12203 +97 Medal of Honor: Allied Assault Breakthrough
    mohaas=mohsh 12203 +97 Medal of Honor: Allied Assault Spearhead
    mohpa 13203 +97 Medal of Honor: Pacific Assault
    nab 4444 +1 Nerf Arena Blast
    netpanzer 3030 +0 netPanzer
    nfshp2 0 61220 Need for Speed: Hot Pursuit 2
    nitrofamily 0 25601 Nitro Family
    nolf2asihw=nolf2 0 27890 No One Lives Forever 2: A Spy in H.A.R.M.'s Way
    ofcwc 2302 +1 Operation Flashpoint: Cold War Crisis
    ofr=flashpointresistance 2302 +1 Operation Flashpoint: Resistance
    postal2 7777 +1 Postal 2
    rainbowsix=r6 0 2348 Rainbow Six
    rallisportchallenge 0 17500 RalliSport Challenge
    rallymasters 0 16666 Rally Masters
    redline 0 25252 Redline
    ron=riseofnations 0 6501 Rise of Nations
    roo4145=redorchestraost 7757 +10 Red Orchestra: Ostfront 41-45
    rs2rs=r6roguespear 0 2346 Rainbow Six 2: Rogue Spear
    rs3rs=r6ravenshield 7777 +1000 Rainbow Six 3: Raven Shield
    rune 7777 +1 Rune
    serioussam=ss 25600 +1 Serious Sam
    shogo 0 27888 Shogo
    sin 0 22450 SiN
    sof 28910 +1 Soldier of Fortune
    sstse 25600 +1 Serious Sam: The Second Encounter
    stbc 0 22101 Star Trek: Bridge Commander
    tacticalops 7777 +1 Tactical Ops
    teamfactor 0 57778 Team Factor
    terminus 0 12286 Terminus
    thps3 0 6500 Tony Hawk's Pro Skater 3
    thps4 0 6500 Tony Hawk's Pro Skater 4
    thu2 0 5153 Tony Hawk's Underground 2
    toh=takeonhelicopters 2302 +1 Take On Helicopters
    tonolf=nolf 0 27888 The Operative: No One Lives Forever
    turok2 0 12880 Turok 2
    unreal 7777 +1 Unreal
    unrealtournament=ut 7777 +1 Unreal Tournament
    v8sc=v8supercar 0 16700 V8 Supercar Challenge
    vietcong 5425 15425 Vietcong
    wot=wheeloftime 7777 +1 Wheel of Time`,
  gamespy2: `
    aaa=arma 2302 +0 ARMA: Armed Assault
    americasarmy 1716 +1 America's Army
    americasarmy2 1716 +1 America's Army 2
    battlefieldvietnam=bfv 15567 23000 Battlefield Vietnam
    breed 7649 +0 Breed
    deerhunter2005=dh2005 23459 34567 Deer Hunter 2005
    fear 0 27888 F.E.A.R.
    halo 2302 +0 Halo
    halo2 2302 +0 Halo 2
    nascarthunder2004 0 13333 NASCAR Thunder 2004
    neverwinternights2=nwn2 5121 6500 Neverwinter Nights 2
    neverwinternights=nwn 0 5121 Neverwinter Nights
    serioussam2=ss2 25600 +0 Serious Sam 2
    swat4 10480 +2 SWAT 4
    swb2=swbf2 0 3658 Star Wars: Battlefront 2
    swb=swbf 0 3658 Star Wars: Battlefront
    swrc 7777 11138 Star Wars: Republic Commando
    tcgraw2=graw2 0 16250 Tom Clancy's Ghost Recon Advanced Warfighter 2
    tcgraw=graw 0 15250 Tom Clancy's Ghost Recon Advanced Warfighter
    tribesvengeance 7777 +1 Tribes: Vengeance
    tron20 0 27888 Tron 2.0
    vietcong2 5001 19967 Vietcong 2`,
  gamespy3: `
    battlefield2142=bf2142 16567 29900 Battlefield 2142
    battlefield2=bf2 16567 29900 Battlefield 2
    crysis 64087 +0 Crysis
    crysis2 64000 +0 Crysis 2
    crysiswars 64100 +0 Crysis Wars
    prb2=prbf2 16567 29900 Project Reality: Battlefield 2
    stalker 5445 +2 S.T.A.L.K.E.R.`,
  goldsrc: `
    counterstrike15=cs15 27015 +0 Counter-Strike 1.5`,
  gtasao: `
    gtasao=saomp 7777 +0 Grand Theft Auto: San Andreas OpenMP`,
  hexen2: `
    hexen2 26900 +50 Hexen II`,
  jc2mp: `
    jc2m=jc2mp 7777 +0 Just Cause 2 - Multiplayer`,
  mafia2mp: `
    m2m=m2mp 27016 +1 Mafia II - Multiplayer`,
  mafia2online: `
    m2o 27015 +1 Mafia II - Online`,
  minecraftbedrock: `
    mbe=minecraftbe 19132 +0 Minecraft: Bedrock Edition`,
  minecraftvanilla: `
    minecraft 25565 +0 Minecraft`,
  mumbleping: `
    mumble 64738 +0 Mumble`,
  openttd: `
    openttd 3979 +0 OpenTTD`,
  quake1: `
    quake=quake1 27500 +0 Quake`,
  quake2: `
    alienarena 0 27910 Alien Arena
    daikatana 27982 +10 Daikatana
    quake2 27910 +0 Quake 2`,
  quake3: `
    cod 28960 +0 Call of Duty
    cod2 28960 +0 Call of Duty 2
    cod3 28960 +0 Call of Duty 3
    cod4mw=cod4 28960 +0 Call of Duty 4: Modern Warfare
    codmw2 28960 +0 Call of Duty: Modern Warfare 2
    coduo 28960 +0 Call of Duty: United Offensive
    codwaw 28960 +0 Call of Duty: World at War
    nexuiz 0 26000 Nexuiz
    openarena 0 27960 OpenArena
    plutonium 28960 +0 Plutonium
    q3a=quake3 27960 +0 Quake 3: Arena
    rtcw 0 27960 Return to Castle Wolfenstein
    sof2 0 20100 Soldier of Fortune 2
    stvef 0 27960 Star Trek: Voyager - Elite Force
    stvef2 0 29253 Star Trek: Voyager - Elite Force 2
    swjk2jo=swjk2 0 28070 Star Wars Jedi Knight II: Jedi Outcast
    swjkja=swjk 0 29070 Star Wars Jedi Knight: Jedi Academy
    tremulous 0 30720 Tremulous
    urbanterror 0 27960 Urban Terror
    wet=wolfensteinet 0 27960 Wolfenstein: Enemy Territory
    wop 26000 +0 World Of Padman`,
  samp: `
    gtasam=samp 7777 +0 Grand Theft Auto: San Andreas Multiplayer`,
  sdtd: `
    sdtd=7d2d 26900 +1 7 Days to Die`,
  starmade: `
    starmade 4242 +0 StarMade`,
  starsiege: `
    starsiege 29001 +0 Starsiege`,
  toxikk: `
    toxikk 7777 27015 TOXIKK`,
  tribes1: `
    t1s=tribes1 28001 +0 Tribes 1: Starsiege`,
  unreal2: `
    devastation 7777 +1 Devastation
    dhe4445=darkesthour 7757 +1 Darkest Hour: Europe '44-'45
    killingfloor 7707 +1 Killing Floor
    redorchestra 7758 +1 Red Orchestra
    u2tax 7777 +1 Unreal 2: The Awakening - XMP
    unrealtournament2003=ut2003 7757 +1 Unreal Tournament 2003
    unrealtournament2004=ut2004 7777 +1 Unreal Tournament 2004`,
  ut3: `
    unrealtournament3=ut3 7777 -1277 Unreal Tournament 3`,
  valve: `
    a2oa=arma2oa 2302 +1 ARMA 2: Operation Arrowhead
    aapg=americasarmypg 8777 27020 America's Army: Proving Grounds
    abioticfactor 27015 +0 Abiotic Factor
    actionsource=as 27015 +0 Action: Source
    ahl 27015 +0 Action Half-Life
    alienswarm 27015 +0 Alien Swarm
    americasarmy3 8777 27020 America's Army 3
    aoc=ageofchivalry 27015 +0 Age of Chivalry
    arma2 2302 +1 ARMA 2
    arma3 2302 +1 ARMA 3
    armareforger=armare 2001 17777 ARMA: Reforger
    ase=arkse 7777 27015 Ark: Survival Evolved
    atlas 5761 +51800 Atlas
    avorion 27000 +20 Avorion
    avp2010 27015 +0 Aliens vs. Predator 2010
    ballisticoverkill 27015 +1 Ballistic Overkill
    barotrauma 27015 +1 Barotrauma
    basedefense=bd 27015 +0 Base Defense
    battalion1944=bat1944 7777 +3 Battalion 1944
    blackmesa 27015 +0 Black Mesa
    bladesymphony=bs 27015 +0 Blade Symphony
    brainbread 27015 +0 BrainBread
    brainbread2 27015 +0 BrainBread 2
    breach 27016 +0 Breach
    brink 0 27015 Brink
    cmw=chivalry 7777 +2 Chivalry: Medieval Warfare
    codbo3 27017 +0 Call of Duty: Black Ops 3
    codenamecure 27015 +0 Codename CURE
    codmw3 0 27015 Call of Duty: Modern Warfare 3
    colonysurvival 27004 +0 Colony Survival
    conanexiles 7777 27015 Conan Exiles
    contagion 27015 +0 Contagion
    corekeeper 1234 +1 Core Keeper
    counterstrike16=cs16 27015 +0 Counter-Strike 1.6
    counterstrike2=cs2 27015 +0 Counter-Strike 2
    creativerse 26900 +1 Creativerse
    cscz 27015 +0 Counter-Strike: Condition Zero
    csgo 27015 +0 Counter-Strike: Global Offensive
    css 27015 +0 Counter-Strike: Source
    dab 27015 +0 Double Action: Boogaloo
    dal=dnl 7777 27015 Dark and Light
    dayofdragons 7777 27015 Day of Dragons
    dayzmod 2302 +1 DayZ Mod
    ddd=dinodday 27015 +0 Dino D-Day
    deathmatchclassic=dmc 27015 +0 Deathmatch Classic
    dmomam 27015 +0 Dark Messiah of Might and Magic
    dod 27015 +0 Day of Defeat
    dods 27015 +0 Day of Defeat: Source
    doi 27015 +0 Day of Infamy
    dota2 27015 +0 Dota 2
    dow=daysofwar 27015 +0 Days of War
    dst 10999 27016 Don't Starve Together
    dystopia=dys 27015 +0 Dystopia
    egs=empyrion 30000 +1 Empyrion - Galactic Survival
    empiresmod=em 27015 +0 Empires Mod
    enshrouded 15636 15637 enshrouded
    ets2 27015 +1 Euro Truck Simulator 2
    exfil 7777 27015 Exfil
    fof 27015 +0 Fistful of Frags
    fortressforever 27015 +0 Fortress Forever
    foundry 27015 +0 FOUNDRY
    garrysmod 27015 +0 Garry's Mod
    goldeneyesource=ges 27015 +0 GoldenEye: Source
    groundbreach 27015 +0 Ground Breach
    gunmanchronicles 27015 +0 Gunman Chronicles
    hl2d=hl2dm 27015 +0 Half-Life 2: Deathmatch
    hld=hldm 27015 +0 Half-Life Deathmatch
    hlds=hldms 27015 +0 Half-Life Deathmatch: Source
    hll 27015 +0 Hell Let Loose
    hlof=hlopfor 27015 +0 Half-Life: Opposing Force
    homefront 27015 +0 Homefront
    hurtworld 12871 12881 Hurtworld
    icarus 27015 +0 Icarus
    imic=insurgencymic 27015 +0 Insurgency: Modern Infantry Combat
    insurgency 27015 +0 Insurgency
    insurgencysandstorm 27015 +1 Insurgency: Sandstorm
    jc3m=jc3mp 4200 +1 Just Cause 3 - Multiplayer
    killingfloor2 7777 27015 Killing Floor 2
    kreedzclimbing=kzmod 27015 +0 Kreedz Climbing
    l4d2=left4dead2 27015 +0 Left 4 Dead 2
    l4d=left4dead 27015 +0 Left 4 Dead
    medievalengineers 27015 +0 Medieval Engineers
    mnc 7777 27016 Monday Night Combat
    moe 0 12888 Myth of Empires
    mordhau 7777 27015 Mordhau
    naturalselection2=ns2 0 27015 Natural Selection 2
    naturalselection=ns 27015 +0 Natural Selection
    nla 0 27015 Nova-Life: Amboise
    nmrih 27015 +0 No More Room in Hell
    nucleardawn 27015 +0 Nuclear Dawn
    ohd 7777 27005 Operation: Harsh Doorstop
    onset 7777 -1 Onset
    pce=primalcarnage 7777 27015 Primal Carnage: Extinction
    pixark 7777 27015 PixARK
    postscriptum=ps 10037 +0 Post Scriptum
    projectcars2=pc2 27015 +1 Project Cars 2
    projectcars=pc 27015 +1 Project Cars
    projectzomboid=przomboid 16261 +0 Project Zomboid
    pvak2=pvkii 27015 +0 Pirates, Vikings, and Knights II
    quakelive 27960 +0 Quake Live
    rdkf=ragdollkungfu 27015 +0 Rag Doll Kung Fu
    redorchestra2 7777 27015 Red Orchestra 2
    rfactor2 0 64299 rFactor 2
    ricochet 27015 +0 Ricochet
    risingworld 4255 -1 Rising World
    ror2 27015 +1 Risk of Rain 2
    rs2v=rs2 27015 +0 Rising Storm 2: Vietnam
    rust 28015 +0 Rust
    shatteredhorizon 27015 +0 Shattered Horizon
    sinepisodes=sinep 27015 +0 SiN Episodes
    sotf=sonsoftheforest 8766 27016 Sons Of The Forest
    soulmask 8777 27015 Soulmask
    spaceengineers 27015 +0 Space Engineers
    starbound 21025 +0 Starbound
    stn 7950 +1 Survive the Nights
    suicidesurvival 27015 +0 Suicide Survival
    svencoop 27015 +0 Sven Coop
    synergy 27015 +0 Synergy
    teamfortress2=tf2 27015 +0 Team Fortress 2
    tfc 27015 +0 Team Fortress Classic
    theforest=forrest 27015 +1 The Forest
    thefront 0 27015 The Front
    thehidden=hidden 27015 +0 The Hidden
    theisle=isle 7707 +1 The Isle
    theship=ship 27015 +0 The Ship
    thespecialists 27015 +0 The Specialists
    towerunite 27015 +0 Tower Unite
    unturned 27015 +1 unturned
    valheim 2456 +1 Valheim
    vampireslayer=vs 27015 +0 Vampire Slayer
    vrising 27015 +1 V Rising
    wurmunlimited=wurm 3724 27016 Wurm Unlimited
    zombiemaster 27015 +0 Zombie Master
    zps 27015 +0 Zombie Panic: Source`,
  vcmp: `
    vcm=vcmp 8192 +0 Vice City Multiplayer`,
  ventrilo: `
    ventrilo 3784 +0 Ventrilo`,
  warsow: `
    warfork 0 44400 Warfork
    warsow 44400 +0 Warsow`,
  xonotic: `
    xonotic 26000 +0 Xonotic`,
}
