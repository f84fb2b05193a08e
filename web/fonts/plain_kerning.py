"""Makes the kerning of a variable font plain: `plain_kerning.py FROM.woff2 TO.woff2`, with fonttools and brotli.

Pairs of classes keep the distances of the default weight; exceptions for single pairs and what changes with the weight go. Of
Hanken Grotesk that is a sixth of the file, and the widest difference in a line of text is a fraction of a pixel.
"""

import sys

from fontTools.ttLib import TTFont

DEVICES = ("XPlaDevice", "YPlaDevice", "XAdvDevice", "YAdvDevice")
"""Bits 4 to 7 of a value's format: distances that change with the weight."""
PLAIN = 0x0F

font = TTFont(sys.argv[1])
for lookup in font["GPOS"].table.LookupList.Lookup:
    lookup.SubTable = [table for table in lookup.SubTable if table.Format == 2]
    lookup.SubTableCount = len(lookup.SubTable)
    for table in lookup.SubTable:
        for value in (value for row in table.Class1Record for pair in row.Class2Record for value in (pair.Value1, pair.Value2)):
            for device in DEVICES:
                if hasattr(value, device):
                    delattr(value, device)
        table.ValueFormat1 &= PLAIN
        table.ValueFormat2 &= PLAIN
font["GDEF"].table.VarStore = None
font["GDEF"].table.Version = 0x00010002 if getattr(font["GDEF"].table, "MarkGlyphSetsDef", None) else 0x00010000
font.flavor = "woff2"
font.save(sys.argv[2])
