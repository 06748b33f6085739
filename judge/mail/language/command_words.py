"""The words of commands, ours and those of other judges, as they are told from prose."""

from __future__ import annotations

from judge.mail.phrases import listed

# Two words that judges take as one.
JOINED = {
    "SIGN ON": "SIGNON",
    "SIGN OFF": "SIGNOFF",
    "NOT READY": "NOREADY",
    "NO READY": "NOREADY",
    "NO WAIT": "NOWAIT",
    "NO DRAW": "NODRAW",
    "NO CONCEDE": "NOCONCEDE",
    "NO CONC": "NOCONCEDE",
    "ADD ADDRESS": "ADDADDRESS",
    "REMOVE ADDRESS": "REMOVEADDRESS",
    "NEW TOKENS": "NEWTOKENS",
    "NEW TOKEN": "NEWTOKENS",
    "NOT ABSENT": "NOTABSENT",
    "NO ABSENCE": "NOTABSENT",
    "NO HOLIDAY": "NOTABSENT",
    "NO VACATION": "NOTABSENT",
    "ASK EXTENSION": "EXTENSION",
    "MORE TIME": "EXTENSION",
    "END PRESS": "ENDPRESS",
    "END PREVIEW": "ENDPREVIEW",
    "END BROADCAST": "ENDBROADCAST",
    "NO ZONE": "NOZONE",
    "WHO GAME": "WHOGAME",
    "NO STANDBY": "NOSTANDBY",
    "NOT STANDBY": "NOSTANDBY",
    "GAME PASSWORD": "GAMEPASSWORD",
    "ALLOW PLAYER": "ALLOWPLAYER",
    "DENY PLAYER": "DENYPLAYER",
}

# They begin no sentence: a line with one that is not in its form is shown back.
NEVER_PROSE = frozenset(
    listed("""
        SIGNON | SIGNOFF | ENDPRESS | ENDBROADCAST | ENDPREVIEW | NOWAIT | NODRAW | NOCONCEDE
        STANDBY | NOSTANDBY | GAMEPASSWORD
    """)
)
# They begin sentences too, and must stand alone or in capitals to be shown back.
ALSO_PROSE = frozenset(
    listed("""
        HELP | JOIN | LIST | STATUS | WAIT | READY | DRAW | CONCEDE | CLEAR | RESIGN | PHASE
        PREFERENCE | PROCESS | CREATE | OBSERVE | WATCH | MONITOR | TAKEOVER | REGISTER | WHOIS
        WHOGAME | GET | SEND | VERSION | HISTORY | SUMMARY | MAP | DIARY | BECOME | EJECT | PROMOTE
        PREDICT | PREVIEW | ROLLBACK | PAUSE | RESUME | TERMINATE | VOTE | PROPOSE | INFO | WHY
        ADMIT | BRANCH | REFUSE | SEAT | REVIVE | DUMMY
    """)
)
# What a slip of the pen is compared with.
KNOWN = listed("""
    SIGNON | SIGNOFF | JOIN | HELP | LIST | STATUS | READY | RESIGN | CLEAR | PHASE | PRESS
    ENDPRESS | BROADCAST | ENDBROADCAST | SET WAIT | SET NOWAIT | SET DRAW | SET NODRAW
    SET CONCEDE | SET NOCONCEDE | SET PREFERENCE | SET PASSWORD | SET ADDRESS | SET ZONE
    SET HANDLE | SET MAILS | HISTORY | SUMMARY | WHOGAME | PREVIEW | STANDBY
""")
# What somebody means who writes a word alone that is none here.
MEANT = {
    **dict.fromkeys(("WAIT", "WARTEN", "WARTE", "ATTENDRE", "ATTENDS"), "WAIT"),
    **dict.fromkeys(("READY", "FERTIG", "BEREIT"), "READY"),
    **dict.fromkeys(("HELP", "HILFE", "AIDE", "AYUDA"), "HELP"),
    "STATUS": "STATUS",
    "PASS": "WAIVE",
}
# How those are written that want more than their name.
FORMS = {
    "SET PASSWORD": "SET PASSWORD word",
    "CLEAR": "CLEAR A Par",
    "HISTORY": "HISTORY game FROM S1901M TO F1902M",
    "LIST": "LIST game",
    "STATUS": "STATUS game",
    "SUMMARY": "SUMMARY game",
    "WHOGAME": "WHOGAME game",
    "SIGNON": "SIGNON Fgame password",
    "STANDBY": "STANDBY game",
    "JOIN": "JOIN game",
    "PHASE": "PHASE F1902M",
    "PRESS": "PRESS TO F,G",
    "SET ADDRESS": "SET ADDRESS me@example.org",
    "SET CONCEDE": "SET CONCEDE R",
    "SET HANDLE": "SET HANDLE Kaiserin",
    "SET MAILS": "SET MAILS DAILY",
    "SET PREFERENCE": "SET PREFERENCE EFT",
    "SET ZONE": "SET ZONE Europe/Berlin",
}
NO_SETTINGS = frozenset(("OBSERVE", "WATCH", "MONITOR"))  # SET WATCH ALL PRESS is of nJudge
# They are none without SET.
SETTINGS = frozenset(
    listed("""
        PASSWORD | ADDRESS | DEADLINE | GRACE | COMMENT | MOVE | RETREAT | ADJUST | RULE | RULES
        GAMEPASSWORD | HANDLE | NAME | LANG | LANGUAGE
    """)
)
# With SET they are something else with other judges: nJudge's SET RESUME says who may.
UNSET = frozenset(
    listed("PAUSE | PROCESS | RESUME | ROLLBACK | ROLLFORWARD | TERMINATE | UNSTART")
)
WITH_SECRETS = frozenset(
    listed("SIGNON | JOIN | RESIGN | SET PASSWORD | TAKEOVER | OBSERVE | CREATE | SET GAME")
)
YES = ("YES", "CONFIRM", "CONFIRMED", "OK", "OKAY")
ANSWERS = (*YES, "NO")
PREFER = ("PREFER", "PREFERENCE", "PREFERENCES", "PREF")
NOT_TOPICS = ("ME", "US", "HIM", "HER", "THEM", "PLEASE")  # `Help me.` asks somebody else.
