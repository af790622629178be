-- Types that have members: classes, interfaces, enums and the like; the columns of `nodes`.
SELECT * FROM nodes WHERE kind = 'class'
