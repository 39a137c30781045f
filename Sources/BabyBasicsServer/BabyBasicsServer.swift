// BabyBasicsServer
