"""The Merkle tree of RFC 9162 and signed notes: their content, and what is refused."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

import pytest

from judge.checkpoints import (
    EMPTY_TREE,
    Checkpoint,
    OpenedLeaf,
    Tree,
    Verifier,
    Witness,
    consistency_proof,
    cosignature_of,
    cosigned_text,
    is_consistent,
    is_signed,
    leaf_hash,
    leaf_of,
    open_leaf,
    read_checkpoint,
    read_leaf,
    read_unnumbered_leaf,
    read_verifier,
    read_witness,
    signature_line,
    signed_note,
    unpacked_tree,
)
from judge.event_log import Row, canonical_row

# The leaves and roots of the test data of Certificate Transparency (RFC 6962 reference).
ENTRIES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657"]
ENTRIES += ["606162636465666768696a6b6c6d6e6f"]
ROOTS = {
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    4: "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    5: "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    6: "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    7: "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
}
LEAVES = [leaf_hash(b"", bytes.fromhex(each)) for each in ENTRIES]
ROW = Row(
    game="baltic",
    version=2,
    type="wait_set",
    schema=1,
    recorded_utc="2026-11-02T12:00:00.000000Z",
    payload='{"nonce":"00","phase":"S1901M"}',
    hash="ab" * 32,
)


def tree_of(leaves: Sequence[bytes]) -> Tree:
    return EMPTY_TREE.extended(leaves)


def test_the_roots_are_those_of_certificate_transparency() -> None:
    assert EMPTY_TREE.root == sha256(b"").digest()
    assert {size: tree_of(LEAVES[:size]).root.hex() for size in ROOTS} == ROOTS


def test_a_tree_goes_on_from_what_the_store_has() -> None:
    for size in range(len(LEAVES) + 1):
        kept = tree_of(LEAVES[:size])
        assert unpacked_tree(size, kept.packed()).extended(LEAVES[size:]) == tree_of(LEAVES)


def test_a_proof_shows_that_a_tree_extends_another_and_no_other() -> None:
    leaves = [leaf_hash(b"", bytes([number])) for number in range(20)]
    trees = [tree_of(leaves[:size]) for size in range(len(leaves) + 1)]
    made = [Checkpoint("log", tree.size, tree.root) for tree in trees]
    assert consistency_proof(EMPTY_TREE, leaves) == ()
    for size, new in enumerate(made):
        assert not is_consistent(made[0], new, ())
        for old in made[1:size]:
            proof = consistency_proof(trees[old.size], leaves[old.size : size])
            assert is_consistent(old, new, proof)
            assert not is_consistent(replace(old, root=b"?" * 32), new, proof)
            assert not is_consistent(old, replace(new, root=b"?" * 32), proof)
            assert not is_consistent(old, new, (*proof, b"?" * 32))
            assert not is_consistent(old, new, proof[:-1])
            assert not is_consistent(old, new, ())
            assert not is_consistent(new, old, proof)
        assert not is_consistent(new, new, ())


def test_the_proofs_are_those_of_certificate_transparency() -> None:
    """The test data of the reference (RFC 6962), of the trees whose roots are above."""
    leaves = {size: LEAVES[size:8] for size in (1, 6)}

    assert [each.hex() for each in consistency_proof(tree_of(LEAVES[:1]), leaves[1])] == [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ]
    assert [each.hex() for each in consistency_proof(tree_of(LEAVES[:6]), leaves[6])] == [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]


def test_a_leaf_is_opened_with_its_salt_alone() -> None:
    key = b"k" * 32

    opened = open_leaf(key, ROW)

    assert opened.leaf == leaf_of(key, ROW)
    assert opened.leaf != leaf_of(b"another key", ROW)
    assert opened.leaf != leaf_hash(b"", canonical_row(ROW))
    assert leaf_of(key, replace(ROW, hash="cd" * 32)) != opened.leaf
    assert read_leaf(opened.as_json()) == opened
    assert opened.event["payload"] == {"nonce": "00", "phase": "S1901M"}


def test_a_leaf_is_opened_to_its_owner_without_the_number_of_the_event() -> None:
    opened = open_leaf(b"k" * 32, ROW)

    unnumbered = read_unnumbered_leaf(opened.without_number())

    assert "version" not in unnumbered.event
    assert unnumbered.numbered(ROW.version) == opened
    with pytest.raises(ValueError, match="no event of a log"):
        read_unnumbered_leaf({"salt": "00", "event": {"game": "baltic"}})


@pytest.mark.parametrize(
    "damaged",
    [
        None,
        {"salt": "00", "event": {"game": "baltic"}},
        {"salt": "xy", "event": OpenedLeaf(b"", canonical_row(ROW).decode()).event},
    ],
)
def test_an_invalid_opened_leaf_is_refused(damaged: object) -> None:
    with pytest.raises(ValueError, match=r"no event of a log|hexadecimal"):
        read_leaf(damaged)


def sign(key: bytes, message: bytes) -> bytes:
    """Sign insecurely: anyone with the public key can do it."""
    return sha256(key + message).digest() * 2


def verify(key: bytes, message: bytes, signature: bytes) -> bool:
    return sign(key, message) == signature


SIGNER = Verifier("judge.example/judge", b"p" * 32)
CHECKPOINT = Checkpoint(SIGNER.name, 7, tree_of(LEAVES[:7]).root)
NOTE = signed_note(CHECKPOINT, SIGNER, sign(SIGNER.key, CHECKPOINT.body.encode()))


def test_a_checkpoint_is_a_signed_note() -> None:
    origin, size, root, blank, signature, end = NOTE.split("\n")

    assert (origin, size, blank, end) == ("judge.example/judge", "7", "", "")
    assert root == b64encode(bytes.fromhex(ROOTS[7])).decode()
    assert signature.startswith("\N{EM DASH} judge.example/judge ")
    assert CHECKPOINT.line == f"7 {root}"
    assert read_checkpoint(NOTE) == CHECKPOINT
    assert is_signed(NOTE, SIGNER, verify)
    assert not is_signed(NOTE, replace(SIGNER, key=b"q" * 32), verify)


def test_a_public_key_is_written_as_signed_notes_have_it() -> None:
    assert str(read_verifier(str(SIGNER))) == str(SIGNER)
    assert read_verifier(str(SIGNER)) == SIGNER
    with pytest.raises(ValueError, match="no public key"):
        read_verifier(str(SIGNER).replace("judge.example", "other.example"))


@pytest.mark.parametrize("text", ["", "name", "name+00000000+AQ==", "name+zz+!"])
def test_an_invalid_public_key_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_verifier(text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n7\n", "\n8\n"),
        ("judge.example/judge\n", "judge.example/other\n"),
        ("\N{EM DASH} judge", "judge"),
        ("\N{EM DASH} judge.example/judge ", "\N{EM DASH} judge.example/other "),
        ("\N{EM DASH} judge.example/judge ", "\N{EM DASH} judge.example/judge AA"),
        ("\N{EM DASH} judge.example/judge ", "\N{EM DASH} judge.example/judge ?"),
    ],
)
def test_a_changed_note_is_not_signed(old: str, new: str) -> None:
    assert old in NOTE
    assert not is_signed(NOTE.replace(old, new), SIGNER, verify)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n7\n" + "A" * 43 + "=\n\n",
        "origin\n-7\n" + "A" * 43 + "=\n\n",
        "origin\n07\n" + "A" * 43 + "=\n\n",
        "origin\n7\nAAAA\n\n",
        "origin\n7\n???\n\n",
        NOTE + "x" * 10_000,
    ],
)
def test_an_invalid_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_checkpoint(text)


WITNESS = Verifier("witness.example/judge", b"w" * 32)


def cosign(seconds: int, said: int | None = None) -> str:
    signature = sign(WITNESS.key, cosigned_text(CHECKPOINT.body, seconds))
    return signature_line(WITNESS.cosigner, (said or seconds).to_bytes(8) + signature)


def test_a_witness_signs_a_checkpoint_and_the_time() -> None:
    line = cosign(1_790_000_000)

    assert cosignature_of(NOTE + line, WITNESS, verify) == line
    assert is_signed(NOTE + line, SIGNER, verify)
    assert not is_signed(NOTE + line, WITNESS, verify)
    for note in (
        NOTE,
        NOTE + cosign(1_790_000_000, said=1_790_000_001),
        NOTE.replace("\n7\n", "\n8\n") + line,
        NOTE + signature_line(WITNESS, sign(WITNESS.key, CHECKPOINT.body.encode())),
    ):
        assert cosignature_of(note, WITNESS, verify) is None


def test_a_witness_is_written_as_its_key_and_address() -> None:
    read = read_witness(f" {WITNESS}  judge@witness.example ")

    assert read == Witness(WITNESS, "judge@witness.example")
    with pytest.raises(ValueError, match="no public key"):
        read_witness(f"{WITNESS.cosigner} judge@witness.example")
