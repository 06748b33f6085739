"""How mailers mark old mails, signatures and notices, in the languages they speak; lower case."""

# ruff: noqa: RUF001 - some of the languages are written in Cyrillic

from __future__ import annotations

from types import MappingProxyType


def listed(table: str) -> tuple[str, ...]:
    """Split a *table* of phrases: one a line, or several with `|` between them."""
    return tuple(
        phrase.strip() for line in table.strip().split("\n") for phrase in line.split("|")
    )


# `On Monday ... wrote:`: how such a line begins, and the verb that it holds.
ATTRIBUTION_OPENERS = frozenset(
    listed("on | am | le | el | il | em | op | den | dnia | w | dne | la | pe | в")
)
ATTRIBUTION_VERBS = frozenset(
    listed("""
        wrote | writes | schrieb | geschrieben | écrit | ecrit | escribió | escribio | scritto
        scrive
        escreveu | schreef | geschreven | skrev | napisał | napisała | napisał(a) | napisał/a
        napisana | pisze | napsal | napsal(a)
        napísal | kirjoitti | написал | написал(а) | пишет | написав | scris | yazdı
    """)
)

# A rule with words in it: `-----Original Message-----`.
SEPARATORS = listed("""
    original message | original-message | reply message | forwarded message
    ursprüngliche nachricht | original-nachricht | originalnachricht
    weitergeleitete nachricht | message d'origine | message d’origine | message original
    message transféré | mensaje original | mensaje reenviado | messaggio originale
    messaggio inoltrato | mensagem original | mensagem encaminhada
    oorspronkelijk bericht | doorgestuurd bericht | ursprungligt meddelande
    originalmeddelande | oprindelig meddelelse | opprinnelig melding
    oryginalna wiadomość | wiadomość oryginalna | przekazana wiadomość
    wiadomość przekazana | vidarebefordrat meddelande | videresendt meddelelse
    videresendt melding | přeposlaná zpráva | välitetty viesti | переадресованное сообщение
    původní zpráva | alkuperäinen viesti
    исходное сообщение | пересылаемое сообщение
    """)
SEPARATORS_WITHOUT_RULE = frozenset(
    listed("""
        begin forwarded message: | anfang der weitergeleiteten nachricht:
        début du message réexpédié : | inizio messaggio inoltrato:
        inicio del mensaje reenviado: | début du message transféré :
        begin doorgestuurd bericht: | początek przekazywanej wiadomości:
        início da mensagem encaminhada: | vidarebefordrat brev:
        начало переадресованного сообщения:
    """)
)

# The header that Outlook and others set above an old mail, field by field.
_FIELDS = {
    "from": """
        from | von | de | da | van | från | fra | od | lähettäjä | от | від | kimden
        expéditeur | remitente | mittente
    """,
    "date": """
        sent | date | gesendet | datum | envoyé | envoyé le | enviado | enviado el
        enviada em | fecha | inviato | data | verzonden | skickat | sendt | dato | wysłano
        odesláno | lähetetty | дата | отправлено | надіслано | gönderildi
    """,
    "to": """
        to | an | à | a | para | aan | till | til | do | komu | vastaanottaja | кому | kime
        destinataire | destinatario
    """,
    "subject": """
        subject | betreff | objet | asunto | oggetto | onderwerp | assunto | ämne | emne
        temat | předmět | aihe | тема | konu
    """,
}
FIELD_NAMES = MappingProxyType(
    {name: field for field, table in _FIELDS.items() for name in listed(table)}
)

# What a phone or a mailer sets below a mail begins or ends with that it was sent, or can be had,
SENT = frozenset(
    listed("""
        sent | gesendet | verschickt | envoyé | enviado | enviada | inviato | inviata | verzonden
        verstuurd | wysłane | wysłano | wysłana | skickat | sendt | odesláno | lähetetty
        отправлено | послано | gönderildi | get | download | downloaden | beziehen
        herunterladen | télécharger | obtenir | obtener | scarica | pobierz | obter | skaffa
        hämta | hent | получить | скачать
    """)
)
# and names what by.
MAILERS = listed("""
    iphone | ipad | android | galaxy | samsung | xperia | huawei | xiaomi | redmi | blackberry
    windows phone | windows mail | mail for windows | mail für windows | outlook | yahoo mail
    yahoo почты | aol mail | gmail | gmx mail | web.de mail | mail.ru | yandex | proton | tutanota
    fastmail | zoho | mailspring | thunderbird | k-9 mail | fairemail | bluemail | airmail
    smartphone
""")
# Some are known by how they begin.
SIGNATURE_STARTS = listed("""
    sent from my | sent from the all | sent via | sent with spark | sent from hey
    von meinem | diese nachricht wurde von meinem
    envoyé de mon | envoyé depuis | envoyé à partir de | enviado desde mi | enviado do meu
    enviado de mi | inviato da | verzonden vanaf | verstuurd vanaf | skickat från min
    sendt fra min | wysłane z | wysłano z | odesláno z | отправлено с
""")
NOTICE_STARTS = listed("""
    confidentiality notice | disclaimer: | this e-mail and any | this email and any
    this message and any attach | this e-mail may contain | this email may contain
    this message may contain | this e-mail is confidential | this email is confidential
    this email has been checked for viruses | virus-free. | virenfrei. | diese e-mail enthält
    diese nachricht ist vertraulich | ce message est confidentiel | ce message et toutes
    este mensaje es confidencial | este mensaje y | questo messaggio è riservato
    dit bericht is vertrouwelijk | ta wiadomość jest poufna | esta mensagem é confidencial
    detta meddelande är konfidentiellt | это сообщение конфиденциально
    this message is confidential | the information contained in this
""")
