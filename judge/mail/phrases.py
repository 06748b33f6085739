# ruff: noqa: RUF001 - some of the languages are written in Cyrillic
"""How mailers mark old mails, signatures and notices, in the languages they speak; lower case."""

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
        wrote | writes | schrieb | écrit | ecrit | escribió | escribio | scritto | scrive
        escreveu | schreef | skrev | napisał | napisała | napisał(a) | napsal | napsal(a)
        napísal | kirjoitti | написал | написал(а) | пишет | написав | scris | yazdı
    """)
)

# A rule with words in it: `-----Original Message-----`.
SEPARATORS = frozenset(
    listed("""
        original message | original-message | reply message | forwarded message
        ursprüngliche nachricht | original-nachricht | originalnachricht
        weitergeleitete nachricht | message d'origine | message d’origine | message original
        message transféré | mensaje original | mensaje reenviado | messaggio originale
        messaggio inoltrato | mensagem original | mensagem encaminhada
        oorspronkelijk bericht | doorgestuurd bericht | ursprungligt meddelande
        originalmeddelande | oprindelig meddelelse | opprinnelig melding
        oryginalna wiadomość | wiadomość oryginalna | původní zpráva | alkuperäinen viesti
        исходное сообщение | пересылаемое сообщение
    """)
)
SEPARATORS_WITHOUT_RULE = frozenset(
    listed("""
        begin forwarded message: | anfang der weitergeleiteten nachricht:
        début du message réexpédié : | inizio messaggio inoltrato:
        inicio del mensaje reenviado:
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

# What begins a line that a phone, a mailer or a company sets below every mail.
SIGNATURE_STARTS = listed("""
    sent from my | sent from mail for | sent from yahoo mail | sent from outlook
    sent from proton | sent from gmail | sent from aol | sent from samsung | sent from the all
    sent via | sent with | get outlook for | get bluemail for | download outlook for
    von meinem | gesendet von | gesendet mit | diese nachricht wurde von meinem
    holen sie sich outlook für | outlook für ios beziehen | outlook für android beziehen
    envoyé de mon | envoyé depuis | envoyé à partir de | obtenir outlook pour
    télécharger outlook pour | enviado desde | enviado do meu | enviado de mi
    enviado a partir | obtener outlook para | inviato da | scarica outlook per
    verzonden vanaf | verstuurd vanaf | skickat från min | sendt fra min | wysłane z
    odesláno z | lähetetty | отправлено с
""")
NOTICE_STARTS = listed("""
    confidentiality notice | disclaimer: | this e-mail and any | this email and any
    this message and any attach | this e-mail may contain | this email may contain
    this message may contain | this e-mail is confidential | this email is confidential
    this email has been checked for viruses | virus-free. | virenfrei. | diese e-mail enthält
    diese nachricht ist vertraulich | ce message est confidentiel
""")
