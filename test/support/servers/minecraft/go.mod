module minecrafttest

go 1.25.0

require github.com/Tnze/go-mc v1.20.2

require github.com/google/uuid v1.3.0 // indirect
