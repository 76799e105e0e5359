"""Where blocks of Unicode begin, and what recent versions of Unicode assigned.

What a Python knows of Unicode is of one version; the versions that tokenizers follow are many, and characters that one
of them knows and another does not are where they part. So these two tables stand here. Sources: the property Block as
the package ``regex`` 2026.11.15 has it (Unicode 18.0); the property Age of Perl 5.36 for versions to 14.0, and general
categories of ``unicodedata2`` for later ones.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

BLOCK_STARTS = (
    "0 80 100 180 250 2b0 300 370 400 500 530 590 600 700 750 780 7c0 800 840 860 870 8a0 900 980 a00 a80 b00 b80 c00 "
    "c80 d00 d80 e00 e80 f00 1000 10a0 1100 1200 1380 13a0 1400 1680 16a0 1700 1720 1740 1760 1780 1800 18b0 1900 "
    "1950 1980 19e0 1a00 1a20 1ab0 1b00 1b80 1bc0 1c00 1c50 1c80 1c90 1cc0 1cd0 1d00 1d80 1dc0 1e00 1f00 2000 2070 "
    "20a0 20d0 2100 2150 2190 2200 2300 2400 2440 2460 2500 2580 25a0 2600 2700 27c0 27f0 2800 2900 2980 2a00 2b00 "
    "2c00 2c60 2c80 2d00 2d30 2d80 2de0 2e00 2e80 2f00 2fe0 2ff0 3000 3040 30a0 3100 3130 3190 31a0 31c0 31f0 3200 "
    "3300 3400 4dc0 4e00 a000 a490 a4d0 a500 a640 a6a0 a700 a720 a800 a830 a840 a880 a8e0 a900 a930 a960 a980 a9e0 "
    "aa00 aa60 aa80 aae0 ab00 ab30 ab70 abc0 ac00 d7b0 e000 f900 fb00 fb50 fe00 fe10 fe20 fe30 fe50 fe70 ff00 fff0 "
    "10000 10080 10100 10140 10190 101d0 10200 10280 102a0 102e0 10300 10330 10350 10380 103a0 103e0 10400 10450 "
    "10480 104b0 10500 10530 10570 105c0 10600 10780 107c0 10800 10840 10860 10880 108b0 108e0 10900 10920 10940 "
    "10960 10980 109a0 10a00 10a60 10a80 10aa0 10ac0 10b00 10b40 10b60 10b80 10bb0 10c00 10c50 10c80 10d00 10d40 "
    "10d90 10e60 10e80 10ec0 10f00 10f30 10f70 10fb0 10fe0 11000 11080 110d0 11100 11150 11180 111e0 11200 11250 "
    "11280 112b0 11300 11380 11400 11480 114e0 11580 11600 11660 11680 116d0 11700 11750 11800 11850 118a0 11900 "
    "11960 119a0 11a00 11a50 11ab0 11ac0 11b00 11b60 11b80 11bc0 11c00 11c70 11cc0 11d00 11d60 11db0 11df0 11e00 "
    "11ee0 11f00 11f60 11fb0 11fc0 12000 12400 12480 12550 12690 12f90 13000 13430 13460 14400 14680 16100 16140 "
    "16800 16a40 16a70 16ad0 16b00 16b90 16d40 16d80 16e40 16ea0 16ee0 16f00 16fa0 16fe0 17000 18800 18b00 18d00 "
    "18d80 18e00 191a0 191e0 1aff0 1b000 1b100 1b130 1b170 1b300 1bc00 1bca0 1bcb0 1cc00 1cec0 1cf00 1cfd0 1d000 "
    "1d100 1d200 1d250 1d290 1d2c0 1d2e0 1d300 1d360 1d380 1d400 1d800 1dab0 1db00 1dc00 1df00 1e000 1e030 1e090 "
    "1e100 1e150 1e290 1e2c0 1e300 1e4d0 1e500 1e5d0 1e600 1e6c0 1e700 1e7e0 1e800 1e8e0 1e900 1e960 1ec70 1ecc0 "
    "1ed00 1ed50 1ee00 1ef00 1f000 1f030 1f0a0 1f100 1f200 1f300 1f600 1f650 1f680 1f700 1f780 1f800 1f900 1fa00 "
    "1fa70 1fb00 1fc00 20000 2a6e0 2a700 2b740 2b820 2ceb0 2ebf0 2ee60 2f800 2fa20 30000 31350 323b0 33480 3d000 "
    "3fc40 e0000 e0080 e0100 e01f0 f0000 100000"
)
"""The first code points of all blocks, and of the gaps between blocks, hexadecimal; surrogates are in none."""

ASSIGNED_IN: dict[str, str] = {
    "10.0": (
        "860-86a 9fc-9fd afa-aff d00 d3b-d3c 1cf7 1df6-1df9 20bf 23ff 2bd2 2e45-2e49 312e 9fd6-9fea 1032d-1032f "
        "11a00-11a47 11a50-11a83 11a86-11a9c 11a9e-11aa2 11d00-11d06 11d08-11d09 11d0b-11d36 11d3a 11d3c-11d3d "
        "11d3f-11d47 11d50-11d59 16fe1 1b002-1b11e 1b170-1b2fb 1f260-1f265 1f6d3-1f6d4 1f6f7-1f6f8 1f900-1f90b 1f91f "
        "1f928-1f92f 1f931-1f932 1f94c 1f95f-1f96b 1f992-1f997 1f9d0-1f9e6 2ceb0-2ebe0"
    ),
    "11.0": (
        "560 588 5ef 7fd-7ff 8d3 9fe a76 c04 c84 1878 1c90-1cba 1cbd-1cbf 2bba-2bbc 2bd3-2beb 2bf0-2bfe 2e4a-2e4e "
        "312f 9feb-9fef a7af a7b8-a7b9 a8fe-a8ff 10a34-10a35 10a48 10d00-10d27 10d30-10d39 10f00-10f27 10f30-10f59 "
        "110cd 11144-11146 1133b 1145e 1171a 11800-1183b 11a9d 11d60-11d65 11d67-11d68 11d6a-11d8e 11d90-11d91 "
        "11d93-11d98 11da0-11da9 11ee0-11ef8 16e40-16e9a 187ed-187f1 1d2e0-1d2f3 1d372-1d378 1ec71-1ecb4 1f12f 1f6f9 "
        "1f7d5-1f7d8 1f94d-1f94f 1f96c-1f970 1f973-1f976 1f97a 1f97c-1f97f 1f998-1f9a2 1f9b0-1f9b9 1f9c1-1f9c2 "
        "1f9e7-1f9ff 1fa60-1fa6d"
    ),
    "12.0": (
        "c77 e86 e89 e8c e8e-e93 e98 ea0 ea8-ea9 eac eba 1cfa 2bc9 2bff 2e4f a7ba-a7bf a7c2-a7c6 ab66-ab67 "
        "10fe0-10ff6 1145f 116b8 119a0-119a7 119aa-119d7 119da-119e4 11a84-11a85 11fc0-11ff1 11fff 13430-13438 "
        "16f45-16f4a 16f4f 16f7f-16f87 16fe2-16fe3 187f2-187f7 1b150-1b152 1b164-1b167 1e100-1e12c 1e130-1e13d "
        "1e140-1e149 1e14e-1e14f 1e2c0-1e2f9 1e2ff 1e94b 1ed01-1ed3d 1f16c 1f6d5 1f6fa 1f7e0-1f7eb 1f90d-1f90f 1f93f "
        "1f971 1f97b 1f9a5-1f9aa 1f9ae-1f9af 1f9ba-1f9bf 1f9c3-1f9ca 1f9cd-1f9cf 1fa00-1fa53 1fa70-1fa73 1fa78-1fa7a "
        "1fa80-1fa82 1fa90-1fa95"
    ),
    "12.1": ("32ff"),
    "13.0": (
        "8be-8c7 b55 d04 d81 1abf-1ac0 2b97 2e50-2e52 31bb-31bf 4db6-4dbf 9ff0-9ffc a7c7-a7ca a7f5-a7f6 a82c "
        "ab68-ab6b 1019c 10e80-10ea9 10eab-10ead 10eb0-10eb1 10fb0-10fcb 11147 111ce-111cf 1145a 11460-11461 "
        "11900-11906 11909 1190c-11913 11915-11916 11918-11935 11937-11938 1193b-11946 11950-11959 11fb0 16fe4 "
        "16ff0-16ff1 18af3-18cd5 18d00-18d08 1f10d-1f10f 1f16d-1f16f 1f1ad 1f6d6-1f6d7 1f6fb-1f6fc 1f8b0-1f8b1 1f90c "
        "1f972 1f977-1f978 1f9a3-1f9a4 1f9ab-1f9ad 1f9cb 1fa74 1fa83-1fa86 1fa96-1faa8 1fab0-1fab6 1fac0-1fac2 "
        "1fad0-1fad6 1fb00-1fb92 1fb94-1fbca 1fbf0-1fbf9 2a6d7-2a6dd 30000-3134a"
    ),
    "14.0": (
        "61d 870-88e 890-891 898-89f 8b5 8c8-8d2 c3c c5d cdd 170d 1715 171f 180f 1ac1-1ace 1b4c 1b7d-1b7e 1dfa 20c0 "
        "2c2f 2c5f 2e53-2e5d 9ffd-9fff a7c0-a7c1 a7d0-a7d1 a7d3 a7d5-a7d9 a7f2-a7f4 fbc2 fd40-fd4f fdcf fdfe-fdff "
        "10570-1057a 1057c-1058a 1058c-10592 10594-10595 10597-105a1 105a3-105b1 105b3-105b9 105bb-105bc 10780-10785 "
        "10787-107b0 107b2-107ba 10f70-10f89 11070-11075 110c2 116b9 11740-11746 11ab0-11abf 12f90-12ff2 16a70-16abe "
        "16ac0-16ac9 1aff0-1aff3 1aff5-1affb 1affd-1affe 1b11f-1b122 1cf00-1cf2d 1cf30-1cf46 1cf50-1cfc3 1d1e9-1d1ea "
        "1df00-1df1e 1e290-1e2ae 1e7e0-1e7e6 1e7e8-1e7eb 1e7ed-1e7ee 1e7f0-1e7fe 1f6dd-1f6df 1f7f0 1f979 1f9cc "
        "1fa7b-1fa7c 1faa9-1faac 1fab7-1faba 1fac3-1fac5 1fad7-1fad9 1fae0-1fae7 1faf0-1faf6 2a6de-2a6df 2b735-2b738"
    ),
    "15.0": (
        "cf3 ece 10efd-10eff 1123f-11241 11b00-11b09 11f00-11f10 11f12-11f3a 11f3e-11f59 1342f 13439-13455 1b132 "
        "1b155 1d2c0-1d2d3 1df25-1df2a 1e030-1e06d 1e08f 1e4d0-1e4f9 1f6dc 1f774-1f776 1f77b-1f77f 1f7d9 1fa75-1fa77 "
        "1fa87-1fa88 1faad-1faaf 1fabb-1fabd 1fabf 1face-1facf 1fada-1fadb 1fae8 1faf7-1faf8 2b739 31350-323af"
    ),
    "15.1": ("2ffc-2fff 31ef 2ebf0-2ee5d"),
    "16.0": (
        "897 1b4e-1b4f 1b7f 1c89-1c8a 2427-2429 31e4-31e5 a7cb-a7cd a7da-a7dc 105c0-105f3 10d40-10d65 10d69-10d85 "
        "10d8e-10d8f 10ec2-10ec4 10efc 11380-11389 1138b 1138e 11390-113b5 113b7-113c0 113c2 113c5 113c7-113ca "
        "113cc-113d5 113d7-113d8 113e1-113e2 116d0-116e3 11bc0-11be1 11bf0-11bf9 11f5a 13460-143fa 16100-16139 "
        "16d40-16d79 18cff 1cc00-1ccf9 1cd00-1ceb3 1e5d0-1e5fa 1e5ff 1f8b2-1f8bb 1f8c0-1f8c1 1fa89 1fa8f 1fabe 1fac6 "
        "1fadc 1fadf 1fae9 1fbcb-1fbef"
    ),
    "17.0": (
        "88f c5c cdc 1acf-1add 1ae0-1aeb 20c1 2b96 a7ce-a7cf a7d2 a7d4 a7f1 fbc3-fbd2 fd90-fd91 fdc8-fdce 10940-10959 "
        "10ec5-10ec7 10ed0-10ed8 10efa-10efb 11b60-11b67 11db0-11ddb 11de0-11de9 16ea0-16eb8 16ebb-16ed3 16ff2-16ff6 "
        "187f8-187ff 18d09-18d1e 18d80-18df2 1ccfa-1ccfc 1ceba-1ced0 1cee0-1cef0 1e6c0-1e6de 1e6e0-1e6f5 1e6fe-1e6ff "
        "1f6d8 1f777-1f77a 1f8d0-1f8d8 1fa54-1fa57 1fa8a 1fa8e 1fac8 1facd 1faea 1faef 1fbfa 2b73a-2b73f 2cea2-2cead "
        "323b0-33479"
    ),
    "18.0": (
        "558 58b-58c 5c8-5c9 b53-b54 1ade-1adf 1aec-1af0 208f 209d-209f 20c2-20c4 2e60-2e63 a7dd a7e2 ab6c-ab6d "
        "107bb-107bf 10ec9-10ecf 10ed9-10eee 10ef0-10ef9 11b0a 11df0-11df1 1246f 12475-1247f 12550-12686 18cd6-18cda "
        "18d1f-18d20 18e00-19191 191a0-191d2 1b123-1b128 1b168 1ced2-1ced4 1cedd-1cedf 1cef1-1cefd 1d127-1d128 "
        "1d1eb-1d1ff 1d250-1d281 1d6a6 1db00-1db1c 1df1f-1df24 1df2b-1df81 1df90-1df96 1dfcd-1dfff 1f1ae 1f6d9 "
        "1f7da-1f7db 1f7f1-1f7ff 1fa8b-1fa8d 1facc 1fadd 1faeb 1faf9-1fafa 2b81e 3d000-3fc3f"
    ),
}
"""The ranges of code points that each version of Unicode assigned, hexadecimal, both ends included."""

LAST = 0x10FFFF
SURROGATES = range(0xD800, 0xE000)


def blocks() -> list[range]:
    """Return the blocks, and the gaps between them, in their order.

    >>> blocks()[0]
    range(0, 128)
    """
    starts = [int(each, 16) for each in BLOCK_STARTS.split()]
    found = []
    for start, end in pairwise((*starts, LAST + 1)):
        stop = min(end, SURROGATES.start) if start < SURROGATES.start else end
        found.append(range(start, stop))
    return found


def recently_assigned() -> Iterator[range]:
    """Yield the code points that Unicode has assigned since 10.0, by runs, the latest versions first."""
    for runs in reversed(ASSIGNED_IN.values()):
        for written in runs.split():
            first, _, last = written.partition("-")
            yield range(int(first, 16), int(last or first, 16) + 1)
